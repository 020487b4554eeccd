/** Somebody has taken a condition on: the others see it, and it ends with the condition. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { hours, minutes } from '../../src/core/duration.ts';
import type { Condition } from '../../src/domain/condition.ts';
import { createAcknowledgements } from '../../src/status/acknowledgements.ts';
import { createConditions } from '../../src/status/conditions.ts';
import { openAcknowledgements } from '../../src/store/files/condition-notes.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const away: Condition = {
  code: 'printer-unreachable',
  severity: 'error',
  scope: 'lobby',
  subject: 'printer',
  detail: 'it does not answer',
};

function folder(): string {
  const directory = temporaryDirectory();
  onTestFinished(() => directory[Symbol.dispose]());
  return directory.path;
}

/** As the agent begins: it knows of no condition yet. */
function start(stateDir: string) {
  const clock = createSteeredClock();
  const { log, records } = recordLog();
  const conditions = createConditions({ clock, log });
  const register = openAcknowledgements({ stateDir, log });
  const notes = createAcknowledgements({ conditions, register, clock, log });
  const take = (note: string) => notes.acknowledge(away, note, { name: 'Anna' });
  const seen = () => notes.timed().map(({ acknowledged }) => acknowledged?.note);
  return { clock, conditions, records, take, seen, notes };
}

it('is shown with the condition, and told in the log', () => {
  const { conditions, records, take, notes } = start(folder());
  conditions.raise(away);
  expect(take('The technician comes at three')).toBe(true);
  expect(notes.timed()).toMatchObject([
    {
      ...away,
      acknowledged: { name: 'Anna', note: 'The technician comes at three', at: expect.any(String) },
    },
  ]);
  expect(records('condition acknowledged')).toMatchObject([
    { code: away.code, scope: 'lobby', subject: 'printer', name: 'Anna' },
  ]);
});

it('a later note takes the place of an earlier one', () => {
  const { conditions, take, seen } = start(folder());
  conditions.raise(away);
  take('I am looking');
  take('');
  expect(seen()).toEqual(['']);
});

it('ends with the condition, also where the same comes back later, and where it becomes another', () => {
  const { conditions, take, seen } = start(folder());
  conditions.raise(away);
  take('I am looking');
  conditions.clear('lobby', 'printer');
  conditions.raise(away);
  expect(seen()).toEqual([undefined]);
  take('I am looking again');
  conditions.raise({ ...away, code: 'printer-not-ready' });
  expect(seen()).toEqual([undefined]);
});

it('of a condition that is over is not taken', () => {
  const { take } = start(folder());
  expect(take('too late')).toBe(false);
});

it('lasts over a restart, which has an hour to find the condition again', async () => {
  const stateDir = folder();
  const before = start(stateDir);
  before.conditions.raise(away);
  before.take('I am looking');
  const soon = start(stateDir);
  await soon.clock.advance(minutes(50));
  soon.conditions.raise(away);
  expect(soon.seen()).toEqual(['I am looking']);
  const late = start(stateDir);
  await late.clock.advance(hours(2));
  late.conditions.raise({ ...away, scope: 'hall' });
  late.conditions.raise(away);
  expect(late.seen()).toEqual([undefined, undefined]);
});

it('a file that is none costs the notes, and is told', () => {
  const stateDir = folder();
  writeFileSync(join(stateDir, 'acknowledged.json'), '{');
  const { conditions, seen, records } = start(stateDir);
  conditions.raise(away);
  expect(seen()).toEqual([undefined]);
  expect(records('acknowledgements not kept')).toHaveLength(1);
});

it('of a condition that only a newer version knows is left out, and the others last: somebody went back', () => {
  const stateDir = folder();
  const before = start(stateDir);
  before.conditions.raise(away);
  before.take('I am looking');
  const file = join(stateDir, 'acknowledged.json');
  const kept = JSON.parse(readFileSync(file, 'utf8')) as readonly object[];
  writeFileSync(file, JSON.stringify([...kept, { ...kept[0], code: 'printer-on-fire' }]));
  const after = start(stateDir);
  after.conditions.raise(away);
  expect(after.seen()).toEqual(['I am looking']);
  expect(after.records('acknowledgements not kept')).toEqual([]);
});
