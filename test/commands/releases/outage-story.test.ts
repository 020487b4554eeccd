import { expect, it, onTestFinished } from 'vitest';
import { localTime } from '../../../src/commands/terminal-text/local-time.ts';
import { outageInWords } from '../../../src/commands/releases/outage-story.ts';
import { systemClock } from '../../../src/core/clock.ts';
import type { TimelineEntry } from '../../../src/domain/terminal/timeline.ts';
import { openTimeline } from '../../../src/store/files/timeline-files.ts';
import { noGuests, samplePages } from '../../support/operations/sample-pages.ts';
import { startControl } from '../../../src/operations/control.ts';
import { openBooks } from '../../support/store/books.ts';
import { release } from '../../support/store/release-samples.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { commandHere } from '../../support/command-here.ts';
import { configOver } from '../config-over.ts';

/** In the machine's time, as everywhere else on a screen. */
const noon = localTime('2026-11-21T12:00:00.000Z');

const record = (time: string, msg: string, facts: object) =>
  JSON.stringify({ time: `2026-11-21T${time}.000Z`, level: 'warn', msg, terminal: 'lobby', ...facts });

const began = record('12:00:00', 'terminal out of service', {
  reference: '7QX3ZM',
  reason: 'service-away',
  code: 'cloud-unreachable',
  detail: 'cloud.example: no answer',
  advice: 'Check the network.',
});
const lines = [
  record('11:00:00', 'terminal out of service', { reference: 'AAAAAA', reason: 'starting' }),
  began,
  record('12:01:00', 'something else', { detail: '7QX3ZM' }),
];

interface Written {
  readonly flags?: readonly string[];
  readonly releases?: readonly number[];
  readonly timeline?: readonly TimelineEntry[];
}

async function platenShow(
  code: string,
  log: readonly string[] | undefined,
  { flags = [], releases = [0xa], timeline = [] }: Written = {},
) {
  const books = openBooks();
  onTestFinished(() => books[Symbol.dispose]());
  const { directory } = books;
  for (const one of releases) release(books.ledger, 'CONFIRMED', { release: one });
  const kept = openTimeline({ stateDir: directory, clock: systemClock, log: recordLog().log });
  for (const entry of timeline) kept.add(entry);
  if (log) {
    const actions = {
      retryOutbox: () => 0,
      settle: async () => ({ settled: [], left: [] }),
      reload: async () => ({}),
      recentLog: () => log,
      logLevel: () => {},
      administered: () => {},
    };
    const control = await startControl({
      guests: noGuests,
      stateDir: directory,
      actions,
      pages: samplePages(),
      log: recordLog().log,
    });
    onTestFinished(() => control[Symbol.asyncDispose]());
  }
  const config = configOver(directory);
  return commandHere(['releases', 'show', code, '-c', config, ...flags]);
}

it('the reference on the screen tells since when, why, what to do, and where in the log', async () => {
  const { code, out } = await platenShow('7qx-3zm', lines);
  expect([code, out.split('\n')]).toEqual([
    0,
    [
      `outage 7QX3ZM: lobby is out of service since ${noon}: the print service does not answer`,
      `${noon}  cloud-unreachable: cloud.example: no answer: Check the network.`,
      'In the log: journalctl -u platen | grep 7QX3ZM',
    ],
  ]);
});

it('and when it was over', async () => {
  const over = record('12:30:00', 'terminal back in service', { reference: '7QX3ZM' });
  const { out } = await platenShow('7QX3ZM', [...lines, over], { flags: ['--json'] });
  expect(JSON.parse(out)).toMatchObject({ terminal: 'lobby', over: '2026-11-21T12:30:00.000Z' });
});

it('an outage in words says what is known of it', () => {
  const [over] = outageInWords({
    reference: '7QX3ZM',
    terminal: 'lobby',
    records: [],
    reason: 'service-away',
    since: '2026-11-21T12:00:00.000Z',
    over: '2026-11-21T13:00:00.000Z',
  });
  expect(over, "in the machine's time").toBe(
    `outage 7QX3ZM: lobby was out of service since ${noon} until ${localTime('2026-11-21T13:00:00.000Z')}: the print service does not answer`,
  );
  const [standing] = outageInWords({
    reference: '7QX3ZM',
    terminal: 'lobby',
    records: [],
    reason: 'not-approved',
  });
  expect(standing, 'its records are gone from memory').toBe(
    'outage 7QX3ZM: lobby is out of service: an administrator must approve it',
  );
});

it.each([
  ['that the agent no longer has in memory', []],
  ['while no agent runs', undefined],
])('an outage %s is found in the timeline', async (_, log) => {
  const written = { time: '2026-11-21T12:00:00.000Z', terminal: 'lobby' };
  const facts = { reference: '7QX3ZM', reason: 'starting' };
  const { code, out } = await platenShow('7QX3ZM', log, {
    timeline: [
      { ...written, what: 'terminal out of service', facts: { reference: 'AAAAAA', reason: 'starting' } },
      { ...written, what: 'terminal out of service', facts },
      {
        ...written,
        time: '2026-11-21T12:00:05.000Z',
        what: 'terminal back in service',
        facts: { reference: '7QX3ZM' },
      },
    ],
  });
  expect([code, out.split('\n')[0]]).toEqual([
    0,
    `outage 7QX3ZM: lobby was out of service since ${noon} until ${localTime('2026-11-21T12:00:05.000Z')}: it is starting`,
  ]);
});

it('an outage that nobody has written down is to be looked for in the log', async () => {
  const { code, out, error } = await platenShow('7QX3ZM', undefined);
  expect([code, out]).toEqual([1, '']);
  expect(error).toMatch(/no release .* and no outage .*In the log: journalctl -u platen \| grep 7QX3ZM$/);
});

it('a code that fits several releases is told from one that fits none', async () => {
  const several = await platenShow('0', undefined, { releases: [0xa, 0xb] });
  expect([several.code, several.error]).toEqual([
    1,
    'platen: the ids of several releases begin with 0. Type more characters; see platen releases list',
  ]);
  const none = await platenShow('abc', undefined);
  expect(none.error).toMatch(/^platen: no release has an id that begins with abc\. /);
});

it('the code of a release is found first, whatever it looks like', async () => {
  const { code, out } = await platenShow('0000-0000', lines);
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^RELEASE +00000000\nTERMINAL +lobby$[^]*^STATE +CONFIRMED$/m),
  ]);
});
