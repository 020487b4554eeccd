/** A mistake in the configuration, and how it is reported: file, line, key path and message. */
import type { Document, LineCounter } from 'yaml';
import type { z } from 'zod';
import { counted } from '../core/text/counted.ts';
import { didYouMean } from '../core/text/near-word.ts';
import { Problem } from '../domain/problem/problem.ts';

export type KeyPath = readonly (string | number)[];

export interface Mistake {
  readonly path: KeyPath;
  readonly message: string;
  /** 1-based. If it is absent, it is found from the path. */
  readonly line?: number;
  /** Set if the mistake is in a file other than the configuration that was read. */
  readonly file?: string;
}

/** The rest is shown after these mistakes are corrected. */
export const mostShown = 20;

/**
 * All mistakes of one file or of several. The first twenty are written out, and `lines` can be printed one below the
 * other.
 */
export class ConfigInvalid extends Problem {
  readonly lines: readonly string[];

  /** A string among the mistakes is a finished line. `untold` is the number of mistakes that are not in the list. */
  constructor(
    file: string,
    mistakes: readonly (Mistake | string)[],
    { leftOut = 0, ...options }: { leftOut?: number; cause?: unknown } = {},
  ) {
    const lines = mistakes.slice(0, mostShown).map((mistake) => {
      if (typeof mistake === 'string') return mistake;
      const { path, message, line, file: place = file } = mistake;
      const where = line === undefined ? place : `${place}:${line}`;
      return path.length === 0 ? `${where}: ${message}` : `${where}: ${keyPath(path)}: ${message}`;
    });
    const left = leftOut + mistakes.length - lines.length;
    if (left > 0) lines.push(`${file}: ${counted(left, 'more mistake')}. Correct these first.`);
    super('config-invalid', lines.join('\n'), options);
    this.lines = lines;
  }
}

/** The first line, with the number of the others. `elsewhere` says where they are, for example ` in the log`. */
export function inOneLine([first = '', ...others]: readonly string[], elsewhere: string): string {
  if (others.length === 0) return first;
  return `${first}${first.endsWith('.') ? ' And' : ', and'} ${others.length} more${elsewhere}`;
}

/** For example `terminals[1].printer.uri`. */
export const keyPath = (path: KeyPath): string =>
  path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`),
    '',
  );

/** The line of the key, or of the nearest key above it that is in the file. */
export function lineOf(document: Document, counter: LineCounter, path: KeyPath): number | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    const range = (node as { range?: [number, number, number] } | undefined)?.range;
    if (range) return counter.linePos(range[0]).line;
  }
  return undefined;
}

/** Turns a finding of a schema into mistakes with clear messages. Used for all files that people write. */
export function mistakesOf(
  issue: z.core.$ZodIssue,
  known: (path: KeyPath) => readonly string[] = () => [],
): Mistake[] {
  const path = issue.path.filter((part) => typeof part !== 'symbol');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key, index) => ({
      path: [...path, key],
      message: `is not a key of this file${index < mostShown ? didYouMean(key, known(path)) : ''}`,
    }));
  }
  return [{ path, message: issue.input === undefined ? 'is missing' : messageOf(issue) }];
}

function messageOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`;
    case 'invalid_union':
      return 'options' in issue && issue.options !== undefined
        ? `must be ${issue.options.map(String).join(' or ')}`
        : issue.message;
    case 'too_small':
      if (issue.origin !== 'number') return 'must not be empty';
      return `must be ${issue.inclusive === false ? 'above' : 'at least'} ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters long' : ''}`;
    default:
      return issue.message;
  }
}
