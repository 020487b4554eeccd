/**
 * Gateways of a fleet are killed, stopped and cut off, and its engine is killed, replaced and set back, while a person badges
 * at one after the other: no document comes out twice, and none that came out is without its record (I1, I2, F5 to F9, F12).
 * For a minute's sake 15 kills, 6 pauses, 4 cuts, 3 kills of the engine, a promotion and a restore; the whole of it is
 * `npm run campaign -- --program fleet`.
 */
import { expect, it } from 'vitest';
import { diceOf } from '../../support/dice.ts';
import type { UsualKind } from '../../campaign/fleet-faults.ts';
import { randomFault, randomFleetRuns, strikeInLanes } from '../../campaign/fleet-campaign.ts';
import { protocols } from '../../campaign/kill-stage.ts';
import { needsPostgres } from '../../support/fleet/postgres.ts';

/** Always the same; the campaign throws others. */
const seed = 1357;
const spans = { longest: 4000 };
const times: Readonly<Record<UsualKind, number>> = {
  kill: 2,
  pause: 1,
  cut: 1,
  'engine-kill': 1,
  promotion: 0,
  restore: 0,
  vanish: 0,
};
const onceIn = { ipp: 'promotion', cups: 'restore', socket: 'cut' } as const;

needsPostgres()('a fleet of three gateways', () => {
  it('prints every document once, whatever befalls it', async () => {
    const batches = protocols.map((protocol, index) => {
      const dice = diceOf(seed + index);
      const kinds = [
        ...Object.entries(times).flatMap(([kind, count]) => Array<UsualKind>(count).fill(kind as UsualKind)),
        onceIn[protocol],
      ].toSorted(() => dice.number(2) - 1);
      const faults = kinds.map((kind) => randomFault(kind, dice, spans));
      return { protocol, runs: randomFleetRuns(faults, dice), name: `over ${protocol}` };
    });
    const result = await strikeInLanes(batches);
    process.stdout.write(`\nFaults of a fleet, seed ${seed}\n\n${result.table}\n`);
    expect(result.violations).toEqual([]);
  });
});
