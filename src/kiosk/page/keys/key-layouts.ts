/** What the keys of the on-screen keyboard write, row by row. A touch screen has no other keyboard. */
import { en } from '../../../phrases/en.ts';

export type KeyRows = readonly (readonly string[])[];

const rows = (...lines: readonly string[]): KeyRows => lines.map((line) => line.split(' '));

/** As the phrases of a language have them. */
export const lettersOf = (keyRows: string): KeyRows => rows(...keyRows.split(' | '));

export const areLatin = (letters: KeyRows): boolean =>
  letters.flat().some((key) => /\p{sc=Latin}/u.test(key));

/** Where the letters of the language are no Latin ones; user names often are. */
export const latin: KeyRows = lettersOf(en.keyRows);

export const symbols: KeyRows = rows(
  '1 2 3 4 5 6 7 8 9 0',
  '- _ + = / \\ : ; ( ) &',
  '. , ? ! @ # % $ * \' "',
);

export const digits: KeyRows = rows('1 2 3', '4 5 6', '7 8 9');
