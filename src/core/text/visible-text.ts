/** Text from outside in a form that is safe on a screen (INVARIANTS.md B.4, 3 List). */

/**
 * Controls; formats such as direction marks, joiners and tags; line and paragraph separators. A joiner inside an emoji,
 * such as a family, belongs to the emoji and stays (UTS #51, ED-27).
 */
const invisible = /(\p{RGI_Emoji})|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gv;
const withoutInvisible = (text: string): string => text.replace(invisible, '$1');
const longest = 255;

/** Well-formed, without invisible characters, at most 255 characters. */
export const visibleText = (text: string): string =>
  // An emoji that is cut in two leaves a joiner at the end, so the text is cleaned a second time.
  withoutInvisible(Array.from(withoutInvisible(text.toWellFormed())).slice(0, longest).join('')).trim();
