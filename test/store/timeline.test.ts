import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isoInstant } from '../../src/core/clock.ts';
import { hours, minutes } from '../../src/core/duration.ts';
import type { TimelineLimits } from '../../src/store/files/timeline-files.ts';
import { openTimeline, timelineOf } from '../../src/store/files/timeline-files.ts';
import { recordLog } from '../support/recorded-log.ts';
import { filesBelow, temporaryDirectory } from '../support/temporary-directory.ts';

const noon = Date.UTC(2026, 10, 21, 12);
const small: TimelineLimits = { keepFor: hours(30 * 24), mostOctets: 12_000, fileOctets: 2000 };

function timelineIn(stateDir: string, limits?: TimelineLimits) {
  let now = noon;
  const recorded = recordLog();
  const timeline = openTimeline({
    stateDir,
    clock: { now: () => now },
    log: recorded.log,
    ...(limits === undefined ? {} : { limits }),
  });
  return {
    recorded,
    later: (span: number) => void (now += span),
    add: (terminal?: string) =>
      timeline.add({
        time: isoInstant(now),
        what: 'session opened',
        ...(terminal === undefined ? {} : { terminal }),
        facts: {},
      }),
  };
}

const timesIn = (stateDir: string, terminal?: string) =>
  [...timelineOf({ stateDir, terminal })].map(({ time }) => time);

it('what was written is read, of one terminal with what concerns all, in files for the agent alone', () => {
  using directory = temporaryDirectory();
  const { add, later } = timelineIn(directory.path);
  for (const terminal of ['lobby', 'annex', undefined]) {
    add(terminal);
    later(minutes(1));
  }
  expect([...timelineOf({ stateDir: directory.path, terminal: 'lobby' })]).toEqual([
    { time: '2026-11-21T12:00:00.000Z', what: 'session opened', terminal: 'lobby', facts: {} },
    { time: '2026-11-21T12:02:00.000Z', what: 'session opened', facts: {} },
  ]);
  expect(timesIn(directory.path)).toHaveLength(3);
  expect(filesBelow(directory.path).map(({ name, mode }) => [name, mode])).toEqual([
    ['timeline/2026-11-21-0000.jsonl', 0o600],
  ]);
});

it('what is older than thirty days goes when something is written, and all days before are compressed', () => {
  using directory = temporaryDirectory();
  const { add, later } = timelineIn(directory.path);
  for (let day = 0; day < 40; day += 1) {
    add('lobby');
    later(hours(24));
  }
  const times = timesIn(directory.path);
  expect([times.length, times[0]]).toEqual([31, '2026-11-30T12:00:00.000Z']);
  const names = filesBelow(directory.path).map(({ name }) => name);
  expect(names.filter((name) => !name.endsWith('.gz'))).toEqual(['timeline/2026-12-30-0000.jsonl']);
});

it('however much happens, it takes no more room than it may, and the newest is there', () => {
  using directory = temporaryDirectory();
  const { add, later } = timelineIn(directory.path, small);
  for (let entry = 0; entry < 2000; entry += 1) {
    add(`terminal-${(entry * 7919) % 100_003}`);
    later(1);
  }
  const size = filesBelow(directory.path).reduce((octets, { bytes }) => octets + bytes.length, 0);
  expect(size).toBeLessThanOrEqual(small.mostOctets);
  const times = timesIn(directory.path);
  expect(times.length).toBeGreaterThan(200);
  expect(times.at(-1)).toBe(isoInstant(noon + 1999));
});

it('a restart goes on in the same file, behind a line that was cut off', () => {
  using directory = temporaryDirectory();
  timelineIn(directory.path).add('lobby');
  const file = join(directory.path, 'timeline', '2026-11-21-0000.jsonl');
  appendFileSync(file, '{"time":"2026-11-21T12:00:01.000Z","what":"session op');
  timelineIn(directory.path).add('lobby');
  expect(timesIn(directory.path)).toHaveLength(2);
  expect(readFileSync(file, 'utf8')).toMatch(/op\n\{/);
});

it('a file that was compressed and not removed before a crash is read once', () => {
  using directory = temporaryDirectory();
  const { add, later } = timelineIn(directory.path);
  add('lobby');
  const file = join(directory.path, 'timeline', '2026-11-21-0000.jsonl');
  const plain = readFileSync(file);
  later(hours(24));
  add('lobby');
  writeFileSync(file, plain);
  expect(timesIn(directory.path)).toHaveLength(2);
});

it('what cannot be written is one line in the log, and later it goes on', () => {
  using directory = temporaryDirectory();
  const folder = join(directory.path, 'timeline');
  mkdirSync(join(directory.path, 'elsewhere'));
  symlinkSync(join(directory.path, 'elsewhere'), folder);
  const { add, recorded } = timelineIn(directory.path);
  add('lobby');
  add('lobby');
  expect(recorded.records('timeline not kept')).toHaveLength(1);
  expect(filesBelow(directory.path)).toEqual([]);
  rmSync(folder);
  add('lobby');
  expect(timesIn(directory.path)).toHaveLength(1);
});

it('a folder that cannot be read is a problem and no silence', () => {
  using directory = temporaryDirectory();
  expect(timesIn(directory.path)).toEqual([]);
  writeFileSync(join(directory.path, 'timeline'), '');
  expect(() => timesIn(directory.path)).toThrow(/timeline: reading or writing failed \(ENOTDIR\)/);
});

it('lines of a later version, and lines that are none, are left out', () => {
  using directory = temporaryDirectory();
  timelineIn(directory.path).add('lobby');
  const file = join(directory.path, 'timeline', '2026-11-21-0000.jsonl');
  appendFileSync(file, '{"time":"x","what":"moon landing"}\n[]\n{"time":1}\n');
  expect(timesIn(directory.path)).toHaveLength(1);
});
