/**
 * Makes text safe for a terminal and measures its columns (Unicode Standard Annex #11). Characters that move the
 * cursor, change the writing direction or are invisible are removed, whatever name a document has (INVARIANTS.md T21).
 */
import { withEmoji } from '../core/text/emoji.ts';

// Formats (zero-width and directional characters), surrogates, private use, unassigned, line and paragraph separators.
const unseen = /[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\ufe00-\ufe0f]/gu;
const controls = /\p{Cc}+/gu;
/** More marks on a letter than any script uses. */
const heapOfMarks = /(\p{M}{3})\p{M}+/gu;
/** Marks on the letter before them, and the later parts of a Hangul syllable. They fill no column. */
const none = /^[\p{Mn}\p{Me}\u1160-\u11ff\ud7b0-\ud7ff]$/u;

// East_Asian_Width W and F, which regular expressions do not offer. It lists scripts, their signs by block, and emoji.
// Half-width characters are excluded. So are the letters of flags, because a pair of them fills two columns.
const wide =
  /^[[\p{Emoji_Presentation}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}\p{sc=Yi}\p{sc=Tang}\p{sc=Nshu}\p{sc=Kits}\u2329\u232a\u2630-\u2637\u268a-\u268f\u2ff0-\u303e\u3099-\u30ff\u3190-\u3247\u3250-\u4dff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1d300}-\u{1d376}\u{1f200}-\u{1f2ff}]--[\u02ea\u02eb\uff61-\uffdc\u{1f1e6}-\u{1f1ff}]]$/v;

const marksBefore = /^\p{M}+/u;

export const cutMark = '...';

/**
 * Makes one line: controls become a blank, invisible characters are removed. Emoji are replaced, because a console
 * cannot draw them. Typographic blanks and apostrophes become plain ones, which the fonts of Linux consoles have.
 */
export const plain = (text: string): string =>
  withEmoji(text.toWellFormed(), () => false)
    .replace(controls, ' ')
    .replace(/[\u00a0\u2009\u202f]/g, ' ')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(unseen, '')
    .replace(heapOfMarks, '$1');

/** The text must be plain. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOfOne(character);
  return columns;
}

const columnsOfOne = (character: string): number => (none.test(character) ? 0 : wide.test(character) ? 2 : 1);

/** The text must be plain. A cut text ends with `cutMark`. */
export function cutTo(columns: number, text: string): string {
  if (columnsOf(text) <= columns) return text;
  return startOf(columns - cutMark.length, text) + cutMark;
}

/** Gives the end of a plain text, for a line in which a person types. */
export function endOf(columns: number, text: string): string {
  if (columnsOf(text) <= columns) return text;
  const characters = Array.from(text);
  while (columnsOf(characters.join('')) > columns) characters.shift();
  // The letter of these marks was cut off.
  return characters.join('').replace(marksBefore, '');
}

/** Cuts the text, or pads it with blanks at the end. */
export function fill(columns: number, text: string): string {
  const cut = cutTo(columns, text);
  return cut + ' '.repeat(columns - columnsOf(cut));
}

/** Breaks plain text into lines, between words. Text that does not fit into so many lines is cut. */
export function wrap(text: string, { columns, lines }: { columns: number; lines: number }): string[] {
  const wrapped: string[] = [];
  for (const word of text.split(' ')) {
    const last = wrapped.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last === undefined || (columnsOf(longer) > columns && wrapped.length < lines)) wrapped.push(word);
    else wrapped[wrapped.length - 1] = longer;
  }
  return wrapped.map((line) => cutTo(columns, line));
}

/** Gives the beginning of a plain text. */
export function startOf(columns: number, text: string): string {
  let start = '';
  let filled = 0;
  for (const character of text) {
    filled += columnsOfOne(character);
    if (filled > columns) break;
    start += character;
  }
  return start;
}
