/** What a terminal is told when it is held no more: by whom else, or because nobody can say (F11, F12). */
import { expect, it } from 'vitest';
import type { HoldStanding } from '../../src/domain/ports/holds.ts';
import { createStationDuty } from '../../src/station/duty.ts';

async function walk(standings: readonly HoldStanding[]) {
  const reported: string[] = [];
  const readers: boolean[] = [];
  let standing: HoldStanding = { is: 'elsewhere' };
  const duty = createStationDuty({
    standing: () => standing,
    isEnabled: () => true,
    terminal: { tell: ({ type }) => void reported.push(type) },
    readers: { serve: async (yes) => void readers.push(yes), settled: async () => {} },
  });
  duty.authorized(true);
  await duty.holdChanged();
  reported.length = 0;
  readers.length = 0;
  for (standing of standings) await duty.holdChanged();
  return { reported, readers, isOn: duty.isOn() };
}

const held = { is: 'held', epoch: 1 } as const;
const away = { is: 'engine-away' } as const;
const elsewhere = { is: 'elsewhere', by: 'gateway-b' } as const;

it.each([
  [
    'the engine is away: no badge is taken, and a session goes on',
    [held, away],
    ['authorized', 'unauthorized'],
    false,
  ],
  ['it is back, and so is the hold', [held, away, held], ['authorized', 'unauthorized', 'authorized'], true],
  [
    'it is back, and another gateway serves the terminal: the session ends',
    [held, away, elsewhere],
    ['authorized', 'unauthorized', 'hold-lost'],
    false,
  ],
  ['another gateway serves the terminal at once', [held, elsewhere], ['authorized', 'hold-lost'], false],
] as const)('%s', async (_, standings, reported, isOn) => {
  expect(await walk(standings)).toEqual({
    reported,
    isOn,
    readers: standings.map(({ is }) => is === 'held'),
  });
});
