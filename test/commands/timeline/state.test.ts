import { expect, it } from 'vitest';
import { StateGathering } from '../../../src/commands/timeline/state.ts';
import { stateLines } from '../../../src/commands/timeline/view.ts';
import { parseInstant } from '../../../src/core/clock.ts';
import type { TimelineEntry, TimelineEvent } from '../../../src/domain/terminal/timeline.ts';

/** Local times of one day. */
const entry = (time: string, what: TimelineEvent, facts: TimelineEntry['facts'] = {}): TimelineEntry => ({
  time: `2026-11-22T${time}:00`,
  what,
  facts,
  ...(what.startsWith('agent') ? {} : { terminal: 'lobby' }),
});
const away = { code: 'printer-unreachable', subject: 'printer', detail: 'no answer from 10.0.0.8' };
const started = (time: string, afterCrash = false) =>
  entry(time, 'agent started', { version: '0.1.0', afterCrash });

function linesAt(time: string, ...entries: TimelineEntry[]): readonly string[] {
  const gathering = new StateGathering();
  const at = `2026-11-22T${time}:59`;
  for (const one of entries) gathering[one.time <= at ? 'before' : 'after'](one);
  const wall = parseInstant(at) ?? 0;
  return stateLines(gathering.state(), { terminal: 'lobby', at: wall, width: 200 })
    .slice(1)
    .map((line) => line.trim());
}

it('what was raised an hour before and not cleared is why nothing printed', () => {
  const lines = linesAt('10:15', started('02:00'), entry('09:02', 'condition raised', away));
  expect(lines).toEqual([
    'The agent was running, version 0.1.0, since 02:00.',
    'printer: no answer from 10.0.0.8 (printer-unreachable), since 09:02. Check the power, the network and the address of the printer.',
    'Nobody was signed in.',
    'No release was in progress.',
  ]);
});

it('what was over by then is not told, and what goes on keeps the time it began at', () => {
  const raised = (time: string, detail: string) => entry(time, 'condition raised', { ...away, detail });
  const over = linesAt(
    ...(['10:15', started('02:00'), raised('09:02', 'a')] as const),
    entry('09:30', 'condition cleared', { code: away.code, subject: 'printer' }),
  );
  expect(over[1]).toBe('Platen knew of no problem.');
  expect(linesAt('10:15', started('02:00'), raised('09:02', 'a'), raised('09:40', 'b'))[1]).toMatch(
    /^printer: b .*, since 09:02\./,
  );
});

it.each([
  ['stopped', entry('09:50', 'agent stopped'), false, 'The agent was not running: it was stopped at 09:50.'],
  [
    'crashed',
    entry('09:50', 'session closed'),
    true,
    'The agent was not running all the time. It was last seen at 09:50.',
  ],
])('an agent that %s did not run', (_, last, afterCrash, says) => {
  const lines = linesAt(
    '10:15',
    started('02:00'),
    entry('09:02', 'condition raised', away),
    last,
    started('10:20', afterCrash),
  );
  expect(lines).toEqual([`${says} It started again at 10:20.`]);
});

it('a session and a release that were open then are told', () => {
  const releaseId = '7f3a9c21b8d04c55a1e2f3a4b5c6d7e8';
  const lines = linesAt(
    ...(['10:15', started('02:00')] as const),
    entry('10:13', 'session opened'),
    entry('10:14', 'release started', { releaseId }),
    entry('10:16', 'release ended', { releaseId, outcome: 'completed' }),
  );
  expect(lines.slice(2)).toEqual([
    'Somebody was signed in since 10:13.',
    'Release 7f3a9c21 was in progress since 10:14.',
  ]);
});
