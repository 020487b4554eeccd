/** A comparison as a person reads it, and as a script does: 0 nothing is worse, 1 something is, 2 nothing could be compared. */
import { table } from '../../src/commands/terminal-text/table.ts';
import type { Comparison, Pair } from './comparison.ts';
import { isWorse, usual, worsening } from './comparison.ts';

export function tellComparison({ pairs, missing, added }: Comparison): number {
  const worse = pairs.filter((pair) => isWorse(pair));
  console.log(['', 'Compared with the earlier run', '', pairsInWords(pairs)].join('\n'));
  for (const name of missing) console.log(`not measured any more: ${name}`);
  for (const name of added) console.log(`new, nothing to compare it with: ${name}`);
  for (const pair of worse) console.log(`WORSE: ${worseInWords(pair)}`);
  if (pairs.length === 0) {
    console.error('bench: the two runs have no figure in common');
    return 2;
  }
  console.log(worse.length > 0 ? `${worse.length} of ${pairs.length} are worse` : 'nothing is worse');
  return worse.length > 0 ? 1 : 0;
}

export const pairsInWords = (pairs: readonly Pair[]): string =>
  table([
    ['', 'before', 'now', 'now to before'],
    ...pairs.map(({ title, before, now }) => [
      `${title}: ${now.name}`,
      ...[before, now].map((figure) => `${shown(usual(figure))} ${figure.unit}`),
      usual(before) === 0 ? '' : `${(usual(now) / usual(before)).toFixed(2)} ×`,
    ]),
  ]);

export const worseInWords = (pair: Pair): string =>
  `${pair.title}: ${pair.now.name}, by ${Math.round(worsening(pair) * 100)} % more than the noise explains`;

export const farWorseInWords = ({ title, before, now }: Pair): string =>
  `${title}: ${now.name}, from ${shown(usual(before))} to ${shown(usual(now))} ${now.unit}`;

const shown = (value: number): string => String(Number(value.toPrecision(3)));
