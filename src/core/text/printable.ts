/** Text from outside as it may stand in a log or on a terminal (INVARIANTS.md T21). Apart from the log: most commands write none. */

const longestText = 512;
/** Controls, and all that is there and not seen: marks of direction, tags, joiners; line and paragraph separator. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The text as it may stand in a log or on a terminal: unprintable characters escaped, cut at 512. */
export const printable = (text: string): string =>
  printableWhole(text.length > longestText ? `${text.slice(0, longestText)}…` : text);

/** The same for a person who asked, with nothing cut: what to do often stands at the end. */
export const printableWhole = (text: string): string => text.replace(unprintable, escaped);

const escaped = (character: string): string => {
  const hex = character.codePointAt(0)?.toString(16) ?? '';
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
};
