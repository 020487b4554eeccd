/** What is said of a document let out at a printer with each habit, against what came out of it (I1, I11). */
import { beforeAll, describe, expect, it } from 'vitest';
import { seconds } from '../../../src/core/duration.ts';
import type { HabitWish } from '../../../src/simulator/printer/habits.ts';
import { printerHabits } from '../../../src/simulator/printer/habits.ts';
import type { HabitName, HabitRow } from './habit-rows.ts';
import { habitRows } from './habit-rows.ts';
import type { Word } from './release-stage.ts';
import { cameOut, releaseStage, ticketOf } from './release-stage.ts';

interface Tried {
  readonly name: string;
  readonly habits: readonly HabitWish[];
  readonly row: HabitRow;
}

const names = Object.keys(habitRows) as readonly HabitName[];
const tries: readonly Tried[] = names.flatMap((name) =>
  [habitRows[name]].flat().map((row) => {
    const habits = row.as ?? [name];
    return { name: habits.join(' and '), habits, row };
  }),
);

/** They wait most of their time. */
const sideBySide = 20;
const told = new Map<string, { readonly said: Word; readonly came: string }>();

async function tried({ name, habits, row }: Tried): Promise<void> {
  await using stage = await releaseStage(habits, row.pageTime ?? 300);
  const { peer, clock } = stage;
  // Somebody comes with paper.
  peer.onEvent((news) => {
    if (news.includes('the paper has run out')) clock.setTimeout(() => void peer.clear(), seconds(20));
  });
  const said = await stage.live().release(ticketOf(1));
  told.set(name, { said, came: await cameOut(peer) });
}

beforeAll(async () => {
  const waiting = tries.values();
  const lane = async () => {
    for (const one of waiting) await tried(one);
  };
  await Promise.all(Array.from({ length: sideBySide }, lane));
}, 60_000);

it('each habit of the virtual printer has its row', () => {
  expect(names.toSorted()).toEqual(Object.keys(printerHabits).toSorted());
});

it('no row is an untruth: what is completed came out whole, and of what failed came nothing', () => {
  const untrue = tries.filter(({ row }) =>
    row.said.some(
      (word) =>
        (word.startsWith('completed') && row.came !== 'all, once') ||
        (word.startsWith('failed') && row.came !== 'nothing'),
    ),
  );
  expect(untrue).toEqual([]);
});

describe('a document let out at a printer that', () => {
  it.each(tries)('$name', ({ name, row }) => {
    const { said, came } = told.get(name) ?? {};
    expect(came).toBe(row.came);
    expect(row.said).toContain(said);
  });
});

it('a document whose owner leaves a printer without paper does not come out later for others', async () => {
  await using stage = await releaseStage(['stops-while-processing=2'], 300);
  const { peer } = stage;
  const life = stage.live();
  peer.onEvent((news) => {
    if (news.includes('the paper has run out')) {
      stage.clock.setTimeout(() => life.ownerLeaves(ticketOf(1)), seconds(20));
    }
  });
  expect(await life.release(ticketOf(1))).toBe('unknown, printer-stalled');
  await peer.clear();
  expect(await cameOut(peer)).toBe('2 of 5 pages');
});
