/**
 * Finds emoji as units (UTS #51, ED-17): a family with its joiners, a flag, a keycap, a hand with its skin colour.
 * Parts in an unusual order count as one unit too. If a screen cannot draw a unit, the whole unit is left out, because
 * boxes and halves of it mean nothing.
 */
const picture = String.raw`(?:\p{Emoji_Presentation}|\p{Extended_Pictographic})[\ufe0e\ufe0f]?\p{Emoji_Modifier}?\ufe0f?\u20e3?[\u{e0020}-\u{e007f}]*`;
/** A sign such as ☺ or © is an emoji only because of the character after it; every text font has the sign itself. */
const first = String.raw`(?=\p{Emoji_Presentation}|\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier}|\u200d\p{Extended_Pictographic}))`;
const flag = String.raw`\p{Regional_Indicator}{1,2}`;
const keycap = String.raw`[0-9#*]?\ufe0f?\u20e3`;

const unit = new RegExp(`${keycap}|${flag}|${first}${picture}(?:\u200d${picture})*\u200d?`, 'gv');

/** `isDrawn` is asked about a whole unit. When a unit is left out, the blanks around it become a single blank. */
export function withEmoji(text: string, isDrawn: (emoji: string) => boolean): string {
  const left = text.replace(unit, (emoji) => (isDrawn(emoji) ? emoji : ''));
  return left === text ? text : left.replace(/ {2,}/g, ' ').trim();
}
