import { describe, expect, it } from 'vitest';
import {
  isFarWorse,
  isWorse,
  memoryKept,
  memoryOfHeap,
  otherMachine,
  pairUp,
  worsening,
} from './comparison.ts';
import type { Figure } from './figures-file.ts';

const times = (samples: number[], name = 'p95'): Figure => ({ name, unit: 'ms', better: 'less', samples });
const sizes = (samples: number[], name: string): Figure => ({ ...times(samples, name), unit: 'MB' });
const paces = (samples: number[]): Figure => ({ ...times(samples), unit: '/s', better: 'more' });
/** Ten around a middle, a tenth up and down. */
const around = (middle: number): number[] =>
  Array.from({ length: 10 }, (_, index) => middle * (0.9 + index * 0.022));

describe('a figure has become worse', () => {
  it('where even the better half of the new samples is worse than the worse half of the old', () => {
    expect(isWorse({ before: times(around(100)), now: times(around(130)) })).toBe(true);
  });

  it('also where more is better', () => {
    expect(isWorse({ before: paces(around(130)), now: paces(around(100)) })).toBe(true);
    expect(isWorse({ before: paces(around(100)), now: paces(around(130)) })).toBe(false);
  });

  it('not where the samples overlap, however far the middles are apart', () => {
    const wide = [50, 60, 70, 80, 100, 120, 140, 160, 180, 200];
    expect(isWorse({ before: times(wide), now: times(wide.map((one) => one * 1.5)) })).toBe(false);
  });

  it('not by one outlier', () => {
    expect(isWorse({ before: times(around(100)), now: times([...around(100), 10_000]) })).toBe(false);
  });

  it('not within the margin, though no sample overlaps', () => {
    const steady = (value: number) => times(Array.from({ length: 10 }, () => value));
    expect(isWorse({ before: steady(100), now: steady(109) })).toBe(false);
    expect(isWorse({ before: steady(100), now: steady(111) })).toBe(true);
  });

  it('only by a wide margin where there are few samples', () => {
    expect(isWorse({ before: times([100]), now: times([125]) })).toBe(false);
    expect(isWorse({ before: times([100]), now: times([135]) })).toBe(true);
  });

  it('by another margin where one is given', () => {
    const pair = { before: times(around(100)), now: times(around(135)) };
    expect(isWorse(pair)).toBe(true);
    expect(isWorse(pair, 0.5)).toBe(false);
  });

  it('never where it was nothing before, of which there is no share', () => {
    expect(isWorse({ before: times([0]), now: times([3]) })).toBe(false);
  });

  it('where nothing is left of it', () => {
    expect(isWorse({ before: paces(around(100)), now: paces([0, 0, 0, 0, 0, 0, 0, 0]) })).toBe(true);
  });

  it('by the share that the noise does not explain', () => {
    expect(worsening({ before: times([100]), now: times([150]) })).toBeCloseTo(0.5);
    expect(worsening({ before: paces([150]), now: paces([100]) })).toBeCloseTo(0.5);
  });
});

describe('a figure is worse by far', () => {
  it('where it is worse by half, of memory by three tenths', () => {
    expect(isFarWorse({ before: times([100]), now: times([145]) })).toBe(false);
    expect(isFarWorse({ before: times([100]), now: times([155]) })).toBe(true);
    expect(isFarWorse({ before: sizes([2], 'garbage'), now: sizes([2.5], 'garbage') })).toBe(false);
    expect(isFarWorse({ before: sizes([2], 'garbage'), now: sizes([2.7], 'garbage') })).toBe(true);
  });

  // Six starts each, as they were measured beside other work.
  const kept = [92.17, 92.47, 92.62, 92.69, 93.0, 94.88];
  const onHeap = [23.4, 23.4, 23.4, 23.51, 23.51, 23.51];

  it.each([
    [memoryKept, kept, 2],
    [memoryOfHeap, onHeap, 1.2],
  ])('where an idle agent keeps more than one MB besides: %s', (name, samples, more) => {
    const grown = samples.map((one) => one + more);
    expect(isFarWorse({ before: sizes(samples, name), now: sizes(grown, name) })).toBe(true);
    expect(isFarWorse({ before: sizes(grown, name), now: sizes(samples, name) })).toBe(false);
  });

  it.each([
    [memoryKept, kept],
    [memoryOfHeap, onHeap],
  ])('not where it keeps one MB besides, or an outlier more: %s', (name, samples) => {
    const grown = samples.map((one) => one + 1);
    expect(isFarWorse({ before: sizes(samples, name), now: sizes(grown, name) })).toBe(false);
    expect(isFarWorse({ before: sizes(samples, name), now: sizes([...samples.slice(1), 120], name) })).toBe(
      false,
    );
  });
});

describe('two runs', () => {
  const one = { title: 'One', figures: [times([1]), times([2], 'gone')] };
  const two = { title: 'One', figures: [times([3]), times([4], 'new')] };

  it('are compared pair by pair, and what only one of them has is told', () => {
    const { pairs, missing, added } = pairUp([one], [two]);
    expect(pairs.map(({ before, now }) => [before.samples, now.samples])).toEqual([[[1], [3]]]);
    expect({ missing, added }).toEqual({ missing: ['One: gone'], added: ['One: new'] });
  });

  it('have nothing in common where a figure changed its unit', () => {
    const inSeconds = { title: 'One', figures: [{ ...times([1]), unit: 's' }] };
    expect(pairUp([inSeconds], [{ title: 'One', figures: [times([1])] }]).pairs).toEqual([]);
  });

  it('are not asked for tables that were not measured now', () => {
    const elsewhere = { title: 'Other', figures: [times([1])] };
    expect(pairUp([one, elsewhere], [one]).missing).toEqual([]);
  });

  it('say nothing to each other from two machines', () => {
    const here = { processor: 'A, 2 cores', memory: '24 MB', system: 'Linux 6', date: 'today' };
    expect(otherMachine({ ...here, date: 'yesterday' }, here)).toBeUndefined();
    expect(otherMachine({ ...here, processor: 'B, 8 cores' }, here)).toBe(
      'the figures are of another machine, and say nothing of this one: processor was B, 8 cores, and is A, 2 cores',
    );
    expect(otherMachine({}, here)).toContain('processor was not told');
  });
});
