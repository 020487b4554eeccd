/** Text from outside as it may stand on a screen (INVARIANTS.md B.4, 3 List). */

/**
 * Controls; formats, such as marks of direction, joiners and tags; line and paragraph separators. Those that make one
 * picture of several, as of a family, belong to it (UTS #51, ED-27).
 */
const invisible = /(\p{RGI_Emoji})|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gv;
const withoutInvisible = (text: string): string => text.replace(invisible, '$1');
const longest = 255;

/** Well-formed, without invisible characters, at most 255 characters. */
export const visibleText = (text: string): string =>
  // A picture that is cut in two leaves a joiner at the end.
  withoutInvisible(Array.from(withoutInvisible(text.toWellFormed())).slice(0, longest).join('')).trim();
