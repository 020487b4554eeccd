/** The agent's and the simulators' randomness, thrown again by the same seed. Not for keys that anybody relies on. */
import type { Dice } from './dice.ts';
import type { Chance } from '../../src/core/chance.ts';
import { milliseconds } from '../../src/core/duration.ts';

export function seededChance(dice: Dice): Chance {
  const bytes = (count: number): Buffer =>
    Buffer.from(Array.from({ length: count }, () => Math.floor(dice.number(256))));
  return {
    bytes,
    uuid() {
      const drawn = bytes(16);
      drawn[6] = ((drawn[6] ?? 0) & 0x0f) | 0x40;
      drawn[8] = ((drawn[8] ?? 0) & 0x3f) | 0x80;
      return drawn.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },
    jitter: (span, part = 0.1) => milliseconds(span * (1 + part * (2 * dice.number(1) - 1))),
  };
}
