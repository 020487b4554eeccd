/** Text from outside in a form that is safe on a screen (INVARIANTS.md B.4, 3 List). */

/** Controls; formats such as direction marks, joiners and tags; line and paragraph separators. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/v;
/**
 * A joiner inside an emoji, such as a family, belongs to the emoji and stays (UTS #51, ED-27). Few texts have anything
 * invisible, and V8 needs 20 ms to make this expression: it is made when it is needed.
 */
let invisibleOrEmoji: RegExp | undefined;

function withoutInvisible(text: string): string {
  if (!invisible.test(text)) return text;
  invisibleOrEmoji ??= /(\p{RGI_Emoji})|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gv;
  return text.replace(invisibleOrEmoji, '$1');
}

const longest = 255;

/** Well-formed, without invisible characters, at most 255 characters. */
export const visibleText = (text: string): string =>
  // An emoji that is cut in two leaves a joiner at the end, so the text is cleaned a second time.
  withoutInvisible(Array.from(withoutInvisible(text.toWellFormed())).slice(0, longest).join('')).trim();
