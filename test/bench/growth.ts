/**
 * How a figure grows with the work: measured at one, three and ten times of it, told by the slope of its line where both
 * axes are logarithmic. 1 is linear, 0 does not grow at all; nothing may be worse than linear.
 */
import type { Goal } from './figures.ts';

export interface Point {
  readonly work: number;
  readonly figure: number;
}

export interface Line {
  readonly name: string;
  readonly points: readonly Point[];
}

export interface Growth {
  readonly title: string;
  /** What there is more and more of. */
  readonly work: string;
  readonly unit: string;
  readonly lines: readonly Line[];
}

/** Linear, and what a measurement is astray by. */
const steepest = 1.1;

/** By least squares over the logarithms. Throws `RangeError` where there is no line. */
export function exponentOf(points: readonly Point[]): number {
  const logs = points.map(({ work, figure }) => ({ x: Math.log(work), y: Math.log(figure) }));
  const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  const [x, y] = [mean(logs.map((one) => one.x)), mean(logs.map((one) => one.y))];
  const along = logs.reduce((sum, one) => sum + (one.x - x) ** 2, 0);
  const slope = logs.reduce((sum, one) => sum + (one.x - x) * (one.y - y), 0) / along;
  if (!Number.isFinite(slope)) throw new RangeError('no line goes through these points');
  return slope;
}

export const slopeGoals = ({ work, lines }: Growth): Goal[] =>
  lines.map(({ name, points }) => ({
    what: `${name}, by ${work}`,
    figure: Math.max(0, exponentOf(points)),
    limit: steepest,
    unit: 'as exponent',
  }));

/** A row for each line, below a heading with the work. */
export function growthRows({ work, unit, lines }: Growth): string[][] {
  const [first] = lines;
  const heading = [work, ...(first?.points ?? []).map((point) => grouped(point.work)), 'exponent'];
  return [
    heading,
    ...lines.map(({ name, points }) => [
      name,
      ...points.map(({ figure }) => `${short(figure)} ${unit}`),
      exponentOf(points).toFixed(2),
    ]),
  ];
}

export const grouped = (value: number): string => value.toLocaleString('en-US');
export const short = (value: number): string =>
  value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(2)));
