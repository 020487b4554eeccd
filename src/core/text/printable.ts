/**
 * Makes text from outside safe for a log or a terminal (INVARIANTS.md T21). It is not part of the log, because most
 * commands write none.
 */

const longestText = 512;
/** Control characters and invisible characters: direction marks, tags, joiners, line and paragraph separators. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The text in a form that is safe in a log or on a terminal: unprintable characters escaped, cut at 512. */
export const printable = (text: string): string =>
  printableWhole(text.length > longestText ? `${text.slice(0, longestText)}…` : text);

/** The same without the cut, for a person who asked: the advice often stands at the end. */
export const printableWhole = (text: string): string => text.replace(unprintable, escaped);

const escaped = (character: string): string => {
  const hex = character.codePointAt(0)?.toString(16) ?? '';
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
};
