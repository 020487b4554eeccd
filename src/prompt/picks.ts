/** The documents that a person means by the typed numbers: `1,3-5`, or `a` for all. Pure. */
import type { DocumentView } from '../domain/terminal/terminal-view.ts';

/**
 * The number of each document for the whole session. A number from the screen means the same document even if the list
 * changes. A later document gets the next number.
 */
export type Numbering = readonly string[];

export interface Numbered extends DocumentView {
  readonly number: number;
}

/** In characters. */
const longestPick = 40;

const pickable = /^[0-9,\-\u0020]$/;

export const renumbered = (before: Numbering, documents: readonly DocumentView[]): Numbering => [
  ...before,
  ...documents.map(({ uuid }) => uuid).filter((uuid) => !before.includes(uuid)),
];

export const numbered = (numbering: Numbering, documents: readonly DocumentView[]): readonly Numbered[] =>
  documents
    .map((document) => ({ ...document, number: numbering.indexOf(document.uuid) + 1 }))
    .sort((one, other) => one.number - other.number);

export const typedPick = (pick: string, character: string): string =>
  pickable.test(character) && pick !== 'a' && pick.length < longestPick ? pick + character : pick;

/** The chosen numbers in ascending order; `undefined` if the text is not a list of numbers. */
export function numbersOf(pick: string, documents: readonly Numbered[]): readonly number[] | undefined {
  if (pick === 'a') return documents.filter(isReleasable).map(({ number }) => number);
  const parts = pick
    .split(/[, ]+/)
    .filter((part) => part !== '')
    .map((part) => /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(part));
  const meant = new Set<number>();
  for (const part of parts) {
    if (part === null) return undefined;
    const first = Number(part[1]);
    const last = Number(part[2] ?? first);
    meant.add(first).add(last);
    // Of a range, the existing numbers count. A range may also be written backwards.
    for (const { number } of documents) if ((number - first) * (number - last) <= 0) meant.add(number);
  }
  return [...meant].sort((one, other) => one - other);
}

export const isReleasable = ({ standing, fits }: DocumentView): boolean =>
  standing === 'releasable' && fits !== false;
