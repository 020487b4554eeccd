/**
 * Emoji as units (UTS #51, ED-17): a family with its joiners, a flag, a keycap, a hand with its skin are one picture each,
 * also where the parts come in no order that a vendor draws. A screen without a picture for all of a unit leaves it out
 * whole: boxes and halves of it say nothing.
 */
const picture = String.raw`(?:\p{Emoji_Presentation}|\p{Extended_Pictographic})[\ufe0e\ufe0f]?\p{Emoji_Modifier}?\ufe0f?\u20e3?[\u{e0020}-\u{e007f}]*`;
/** A sign such as ☺ or © is an emoji only by what follows; every text font has it. */
const first = String.raw`(?=\p{Emoji_Presentation}|\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier}|\u200d\p{Extended_Pictographic}))`;
const flag = String.raw`\p{Regional_Indicator}{1,2}`;
const keycap = String.raw`[0-9#*]?\ufe0f?\u20e3`;

const unit = new RegExp(`${keycap}|${flag}|${first}${picture}(?:\u200d${picture})*\u200d?`, 'gv');

/** `isDrawn`: of a whole unit. Where one is left out, the blanks around it become one. */
export function withEmoji(text: string, isDrawn: (emoji: string) => boolean): string {
  const left = text.replace(unit, (emoji) => (isDrawn(emoji) ? emoji : ''));
  return left === text ? text : left.replace(/ {2,}/g, ' ').trim();
}
