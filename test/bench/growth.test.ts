import { describe, expect, it } from 'vitest';
import { chartOf } from './chart.ts';
import { verdict } from './figures.ts';
import type { Growth } from './growth.ts';
import { exponentOf, growthRows, slopeGoals } from './growth.ts';

const points = (figureOf: (work: number) => number) =>
  [10, 30, 100].map((work) => ({ work, figure: figureOf(work) }));
const growthOf = (figureOf: (work: number) => number): Growth => ({
  title: 'Time & documents',
  work: 'documents',
  unit: 'ms',
  lines: [{ name: 'last page', points: points(figureOf) }],
});

describe('the exponent', () => {
  it('is one where the figure grows as the work does', () => {
    expect(exponentOf(points((work) => 7 * work))).toBeCloseTo(1);
  });

  it('is nothing where the figure stays, and two where it grows by the square', () => {
    expect(exponentOf(points(() => 7))).toBeCloseTo(0);
    expect(exponentOf(points((work) => work ** 2))).toBeCloseTo(2);
  });

  it('is not made up of one point, or of nothing measured', () => {
    expect(() => exponentOf([{ work: 10, figure: 1 }])).toThrow(RangeError);
    expect(() => exponentOf(points(() => 0))).toThrow(RangeError);
  });

  it('misses its goal where it is worse than linear', () => {
    const verdictOf = (power: number) => slopeGoals(growthOf((work) => work ** power)).map(verdict)[0];
    expect(verdictOf(1)).toContain('≤ 1.1 as exponent: met');
    expect(verdictOf(1.3)).toContain('MISSED (1.3 as exponent)');
  });
});

it('the table has a column for each amount of work', () => {
  expect(growthRows(growthOf((work) => 10 * work))).toEqual([
    ['documents', '10', '30', '100', 'exponent'],
    ['last page', '100 ms', '300 ms', '1000 ms', '1.00'],
  ]);
});

describe('the chart', () => {
  const places = (svg: string) =>
    [...svg.matchAll(/<circle [^>]*cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [Number(x), Number(y)]);

  it('has a place for each point, further right and higher with more', () => {
    const [first = [], second = [], third = []] = places(chartOf(growthOf((work) => work)));
    expect(first[0]).toBeLessThan(second[0] ?? 0);
    expect(second[0]).toBeLessThan(third[0] ?? 0);
    expect(first[1]).toBeGreaterThan(third[1] ?? Number.NaN);
  });

  it('is well-formed whatever the texts are, tells the slope, and has colours for both kinds of page', () => {
    const svg = chartOf(growthOf(() => 5));
    expect(svg).toContain('<title>Time &amp; documents</title>');
    expect(svg).toContain('exponent 0.00');
    expect(svg).toContain('prefers-color-scheme:dark');
    expect(svg).not.toContain('NaN');
  });

  it('keeps what stays the same in the frame', () => {
    for (const [, y] of places(chartOf(growthOf(() => 5)))) {
      expect(y).toBeGreaterThan(0);
      expect(y).toBeLessThan(340);
    }
  });
});
