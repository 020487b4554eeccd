/** The characters of the keys on the screen, row by row. A touch screen has no other keyboard. */
import { en } from '../../../phrases/en.ts';

export type KeyRows = readonly (readonly string[])[];

const rows = (...lines: readonly string[]): KeyRows => lines.map((line) => line.split(' '));

/** From the text in the phrases of a language. */
export const lettersOf = (keyRows: string): KeyRows => rows(...keyRows.split(' | '));

export const areLatin = (letters: KeyRows): boolean =>
  letters.flat().some((key) => /\p{sc=Latin}/u.test(key));

/** For languages with other letters, because user names often have Latin letters. */
export const latin: KeyRows = lettersOf(en.keyRows);

export const symbols: KeyRows = rows(
  '1 2 3 4 5 6 7 8 9 0',
  '- _ + = / \\ : ; ( ) &',
  '. , ? ! @ # % $ * \' "',
);

export const digits: KeyRows = rows('1 2 3', '4 5 6', '7 8 9');
