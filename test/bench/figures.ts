/** Figures as a person reads them: spans, sizes, ratios, and whether a goal was met. Plain text, nothing measured here. */
import { table } from '../../src/commands/terminal-text/table.ts';
import type { Growth } from './growth.ts';

export interface Measurement {
  readonly title: string;
  /** How it was measured, and what stands beside it. */
  readonly how: string;
  /** The first row is the heading. */
  readonly rows: readonly (readonly string[])[];
  readonly goals: readonly Goal[];
  /** What a later run is compared with: all that was measured of a figure. A goal of the same name is that figure. */
  readonly samples?: readonly Samples[];
  readonly charts?: readonly Growth[];
}

export interface Samples {
  readonly name: string;
  readonly unit: string;
  readonly better: 'less' | 'more';
  readonly samples: readonly number[];
}

export type Goal = {
  readonly what: string;
  readonly figure: number;
  readonly unit:
    | 'ms'
    | 's'
    | 'MB'
    | 'KB'
    | 'round trips'
    | 'documents'
    | 'bytes'
    | 'of them'
    | '/s'
    | '×'
    | '%'
    | 'as exponent';
} & ({ readonly limit: number } | { readonly atLeast: number });

export function print({ title, how, rows, goals }: Measurement): void {
  console.log(['', title, how, '', table(rows), ...goals.map(verdict)].join('\n'));
}

/** The same with its rows as a table of Markdown, for the documentation. */
export function printMarkdown({ title, how, rows, goals }: Measurement): void {
  const [heading = [], ...rest] = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const lines = [heading, heading.map(() => '---'), ...rest].map((row) => `| ${row.join(' | ')} |`);
  console.log(['', `### ${title}`, '', how, '', ...lines, '', ...goals.map(verdict)].join('\n'));
}

export function verdict(goal: Goal): string {
  const { what, figure, unit } = goal;
  const [isMet, bound] =
    'limit' in goal
      ? [figure <= goal.limit, `≤ ${goal.limit}`]
      : [figure >= goal.atLeast, `≥ ${goal.atLeast}`];
  const shown = unit === '×' ? figure.toFixed(2) : rounded(figure);
  return `goal: ${what} ${bound} ${unit}: ${isMet ? 'met' : 'MISSED'} (${shown} ${unit})`;
}

export const timesOf = (name: string, samples: readonly number[]): Samples => ({
  name,
  unit: 'ms',
  better: 'less',
  samples,
});

/** The smallest of the values that at least this share of them does not exceed (nearest rank). */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const value = sorted[Math.ceil(share * sorted.length) - 1];
  if (value === undefined) throw new RangeError('no values');
  return value;
}

const rounded = (value: number): string => value.toFixed(value < 1 ? 3 : value < 10 ? 1 : 0);

export const inMicroseconds = (milliseconds: number): string => `${rounded(milliseconds * 1000)} µs`;
export const inMilliseconds = (value: number): string => `${rounded(value)} ms`;
/** Of bytes; 1 MB is 1 MiB, as the kernel's and Node's own figures are. */
export const megabytes = (bytes: number): number => bytes / 1024 / 1024;
export const inMegabytes = (bytes: number): string => `${rounded(megabytes(bytes))} MB`;
export const perSecond = (value: number, unit = ''): string => `${rounded(value)} ${unit}/s`;
export const ratio = (figure: number, beside: number): string => `${(figure / beside).toFixed(2)} ×`;
