/** What `npm run bench` is asked for. A wrong word is refused before anything is measured. */
import { parseArgs } from 'node:util';
import type { Figures } from './figures-file.ts';
import { readFigures } from './figures-file.ts';

export interface Order {
  /** Stands in the name of each function that is to measure; all without it. */
  readonly only: string;
  readonly markdown: boolean;
  /** Where the figures go as data. */
  readonly json?: string;
  readonly compare?: Figures;
}

/** Throws an error whose message is for whoever typed it. */
export function readOrder(args: readonly string[], names: readonly string[]): Order {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { markdown: { type: 'boolean' }, json: { type: 'string' }, compare: { type: 'string' } },
    allowPositionals: true,
  });
  const [only = '', ...others] = positionals;
  if (others.length > 0) throw new Error(`one name at most, not also ${others.join(' ')}`);
  if (!names.some((name) => name.includes(only))) {
    throw new Error(`nothing is named ${only}; there are ${names.map(withoutVerb).join(', ')}`);
  }
  const { markdown = false, json, compare } = values;
  return {
    only,
    markdown,
    ...(json === undefined ? {} : { json }),
    ...(compare === undefined ? {} : { compare: readFigures(compare) }),
  };
}

const withoutVerb = (name: string): string => name.replace(/^measure/, '');
