import { expect, it } from 'vitest';
import { hours } from '../../src/core/duration.ts';
import { createLog } from '../../src/core/log.ts';
import type { TimelineEntry } from '../../src/domain/terminal/timeline.ts';
import { recordTimeline } from '../../src/status/timeline-recorder.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

function recording() {
  const clock = createSteeredClock();
  const lines: string[] = [];
  const log = createLog({ level: 'error', clock, destination: { write: (line) => lines.push(line) } });
  const entries: TimelineEntry[] = [];
  const recorder = recordTimeline({ log, clock, add: (entry) => entries.push(entry) });
  return { clock, log, lines, entries, recorder };
}

it('hears what the log does not tell, with the facts of its terminal, and keeps the listed facts alone', () => {
  const { log, lines, entries } = recording();
  const lobby = log.with({ terminal: 'lobby' });
  lobby.info('session opened', { sessionId: '4711', userName: 'alice' });
  lobby.warn('login failed', {
    code: 'login-refused',
    way: 'card',
    detail: 'Alice 04A1',
    error: new Error('x'),
  });
  lobby.debug('session closed', { reason: 'timeout' });
  lobby.info('status reported');
  expect(lines).toEqual([]);
  expect(entries.map(({ what, terminal, facts }) => [what, terminal, facts])).toEqual([
    ['session opened', 'lobby', {}],
    ['login failed', 'lobby', { code: 'login-refused', way: 'card' }],
  ]);
});

it("a condition's scope is its terminal, and what concerns all has none", () => {
  const { log, entries } = recording();
  const said = { code: 'cloud-unreachable', severity: 'error', subject: 'cloud', detail: 'no\nanswer' };
  log.warn('condition raised', { ...said, scope: 'agent' });
  log.warn('condition raised', { ...said, scope: 'lobby' });
  expect(entries.map(({ terminal }) => terminal)).toEqual([undefined, 'lobby']);
  expect(entries[0]?.facts).toEqual({ ...said, detail: 'no\\u000aanswer' });
});

it('of one thing at one terminal so many in an hour are kept, and another is not hushed (I8)', async () => {
  const { clock, log, entries } = recording();
  const lobby = log.with({ terminal: 'lobby' });
  for (let time = 0; time < 1000; time += 1) lobby.warn('login failed', { code: 'login-refused' });
  lobby.info('session opened');
  expect(entries.filter(({ what }) => what === 'login failed')).toHaveLength(300);
  expect(entries.at(-1)?.what).toBe('session opened');
  await clock.advance(hours(1));
  lobby.warn('login failed', { code: 'login-refused' });
  expect(entries.filter(({ what }) => what === 'login failed')).toHaveLength(301);
});

it('hears nothing more when it is disposed', () => {
  const { log, entries, recorder } = recording();
  recorder[Symbol.dispose]();
  log.info('session opened', { terminal: 'lobby' });
  expect(entries).toEqual([]);
});
