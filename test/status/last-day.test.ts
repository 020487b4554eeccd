/** What went wrong within the last day, as the page for administrators tells it. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { hours, minutes } from '../../src/core/duration.ts';
import { createLastDay } from '../../src/status/last-day.ts';
import { recordTimeline } from '../../src/status/timeline-recorder.ts';
import { openTimeline, timelineOf } from '../../src/store/files/timeline-files.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

function folder(): string {
  const directory = temporaryDirectory();
  onTestFinished(() => directory[Symbol.dispose]());
  return directory.path;
}

/** An agent that keeps its timeline there. */
function start(stateDir: string, clock = createSteeredClock()) {
  const { log, records } = recordLog();
  const timeline = openTimeline({ stateDir, clock, log });
  const recorder = recordTimeline({ log, clock, add: timeline.add });
  const lastDay = createLastDay({ timeline: (from) => timelineOf({ stateDir, from }), log, clock });
  const end = () => {
    recorder[Symbol.dispose]();
    lastDay[Symbol.dispose]();
  };
  onTestFinished(end);
  return { log, clock, lastDay, records, end };
}

it('counts prints that failed or are in doubt and badges that were refused, and nothing that went well', () => {
  const { log, lastDay } = start(folder());
  for (const outcome of ['completed', 'failed', 'failed', 'unknown'])
    log.info('release ended', { terminal: 'lobby', outcome });
  log.warn('release skipped', { terminal: 'lobby', code: 'printer-unreachable' });
  log.warn('login failed', { terminal: 'lobby', code: 'card-unknown' });
  log.info('card ignored', { terminal: 'lobby', code: 'terminal-busy' });
  const { hour, day, line } = lastDay.hurt();
  expect(hour).toEqual({ failed: 3, unknown: 1, refused: 1 });
  expect(day).toEqual(hour);
  expect(line).toEqual([...Array<number>(23).fill(0), 5]);
});

it('hour by hour: what is a day old is gone', async () => {
  const { log, clock, lastDay } = start(folder());
  log.warn('login failed', { terminal: 'lobby' });
  await clock.advance(hours(2));
  log.warn('login failed', { terminal: 'lobby' });
  expect([lastDay.hurt().line.slice(-3), lastDay.hurt().hour.refused]).toEqual([[1, 0, 1], 1]);
  await clock.advance(hours(23));
  expect(lastDay.hurt().day.refused).toBe(1);
  await clock.advance(hours(2));
  expect(lastDay.hurt().day.refused).toBe(0);
});

it('a restart begins with what the timeline has, and counts nothing twice', async () => {
  const stateDir = folder();
  const before = start(stateDir);
  before.log.warn('login failed', { terminal: 'lobby' });
  before.log.warn('terminal out of service', {
    terminal: 'lobby',
    reference: '7K3M9P',
    reason: 'cloud-unreachable',
  });
  await before.clock.advance(minutes(5));
  before.end();
  const after = start(stateDir, before.clock);
  await after.clock.advance(minutes(1));
  after.log.warn('login failed', { terminal: 'lobby' });
  after.log.info('terminal back in service', { terminal: 'lobby', reference: '7K3M9P' });
  after.log.warn('terminal out of service', { terminal: 'hall', reference: '4F2Q8Z', reason: 'paused' });
  expect(after.lastDay.hurt().day.refused).toBe(2);
  expect(after.lastDay.outages()).toMatchObject([
    { reference: '4F2Q8Z', terminal: 'hall', over: null },
    { reference: '7K3M9P', terminal: 'lobby', over: expect.any(String) },
  ]);
  await after.clock.advance(hours(25));
  expect(after.lastDay.outages()).toMatchObject([{ reference: '4F2Q8Z' }]);
});

it('a timeline that cannot be read is told, and costs the day before alone', () => {
  const stateDir = folder();
  symlinkSync('timeline', join(stateDir, 'timeline'));
  const { log, lastDay, records } = start(stateDir);
  log.warn('login failed', { terminal: 'lobby' });
  expect(lastDay.hurt().day.refused).toBe(1);
  expect(records('timeline not read')).toHaveLength(1);
});
