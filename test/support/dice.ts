/** Chance that can be thrown again: the same seed gives the same throws (mulberry32). */
import type { Chance } from '../../src/core/chance.ts';
import { milliseconds } from '../../src/core/duration.ts';

export interface Dice {
  /** 0 ≤ number < below, not whole. */
  number(below: number): number;
  one<Choice>(choices: readonly Choice[]): Choice;
  /** True in so many of a hundred throws. */
  happens(percent: number): boolean;
}

export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  return {
    number: (below) => next() * below,
    one(choices) {
      const choice = choices[Math.floor(next() * choices.length)];
      if (choice === undefined) throw new RangeError('nothing to choose from');
      return choice;
    },
    happens: (percent) => next() * 100 < percent,
  };
}

/** The agent's and the simulators' randomness, thrown again by the same seed. Not for keys that anybody relies on. */
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
