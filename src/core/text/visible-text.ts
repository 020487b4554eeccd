/** Text from outside as it may stand on a screen (INVARIANTS.md B.4, 3 List). */

/** Controls; formats, such as marks of direction, joiners and tags; line and paragraph separators. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const longest = 255;

/** Well-formed, without invisible characters, at most 255 characters. */
export const visibleText = (text: string): string =>
  Array.from(text.toWellFormed().replace(invisible, '')).slice(0, longest).join('').trim();
