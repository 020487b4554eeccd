/** Chance that can be thrown again: the same seed gives the same throws (mulberry32). */
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
