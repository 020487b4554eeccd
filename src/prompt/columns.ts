/**
 * Text as it may stand on a terminal, and how many of its columns it fills (Unicode Standard Annex #11). Nothing that
 * moves the cursor, changes the direction of writing or cannot be seen gets through, whatever a document is called
 * (INVARIANTS.md T21).
 */
import { withEmoji } from '../core/text/emoji.ts';

// Formats (zero-width and directional characters), surrogates, private use, unassigned, line and paragraph separators.
const unseen = /[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\ufe00-\ufe0f]/gu;
const controls = /\p{Cc}+/gu;
/** A letter that carries more marks than any script puts on one. */
const heapOfMarks = /(\p{M}{3})\p{M}+/gu;
/** Marks that stand on the letter before them, and the later parts of a Hangul syllable. */
const none = /^[\p{Mn}\p{Me}\u1160-\u11ff\ud7b0-\ud7ff]$/u;

// East_Asian_Width W and F, which no regular expression knows: the scripts, their signs by block, and emoji; without what
// has half the width, and the letters that flags are made of, which fill two columns as a pair.
const wide =
  /^[[\p{Emoji_Presentation}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}\p{sc=Yi}\p{sc=Tang}\p{sc=Nshu}\p{sc=Kits}\u2329\u232a\u2630-\u2637\u268a-\u268f\u2ff0-\u303e\u3099-\u30ff\u3190-\u3247\u3250-\u4dff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1d300}-\u{1d376}\u{1f200}-\u{1f2ff}]--[\u02ea\u02eb\uff61-\uffdc\u{1f1e6}-\u{1f1ff}]]$/v;

const marksBefore = /^\p{M}+/u;

export const cutMark = '...';

/**
 * One line of it: controls become a blank, what cannot be seen goes. No console has pictures, so no emoji stays; and the
 * fonts of Linux's consoles lack the blanks and the apostrophe of typesetters, for which they have plainer ones.
 */
export const plain = (text: string): string =>
  withEmoji(text.toWellFormed(), () => false)
    .replace(controls, ' ')
    .replace(/[\u00a0\u2009\u202f]/g, ' ')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(unseen, '')
    .replace(heapOfMarks, '$1');

/** Of plain text. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOfOne(character);
  return columns;
}

const columnsOfOne = (character: string): number => (none.test(character) ? 0 : wide.test(character) ? 2 : 1);

/** Of plain text; what was cut says so at its end. */
export function cutTo(columns: number, text: string): string {
  if (columnsOf(text) <= columns) return text;
  return startOf(columns - cutMark.length, text) + cutMark;
}

/** Of plain text; what stands at its end, for a line that somebody types. */
export function endOf(columns: number, text: string): string {
  if (columnsOf(text) <= columns) return text;
  const characters = Array.from(text);
  while (columnsOf(characters.join('')) > columns) characters.shift();
  // The letter that they belong to is gone.
  return characters.join('').replace(marksBefore, '');
}

/** Cut, or filled up with blanks behind. */
export function fill(columns: number, text: string): string {
  const cut = cutTo(columns, text);
  return cut + ' '.repeat(columns - columnsOf(cut));
}

/** The plain text in lines, broken between words where it can be; what does not fit into so many lines is cut. */
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

/** Of plain text; what stands at its beginning. */
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
