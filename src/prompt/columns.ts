/**
 * Text as it may stand on a terminal, and how many of its columns it fills (Unicode Standard Annex #11). Nothing that
 * moves the cursor, changes the direction of writing or cannot be seen gets through, whatever a document is called
 * (INVARIANTS.md T21).
 */

// Formats (zero-width and directional characters), surrogates, private use, unassigned, line and paragraph separators.
const unseen = /[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\ufe00-\ufe0f]/gu;
const controls = /\p{Cc}+/gu;
/** A letter that carries more marks than any script puts on one. */
const heapOfMarks = /(\p{M}{3})\p{M}+/gu;
const mark = /^\p{M}$/u;

// East_Asian_Width W and F, by block; and emoji, which terminals draw as wide ones.
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1aff0}-\u{1b2ff}\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]$/u;

const cutMark = '...';

/** One line of it: controls become a blank, what cannot be seen goes. */
export const plain = (text: string): string =>
  text.toWellFormed().replace(controls, ' ').replace(unseen, '').replace(heapOfMarks, '$1');

/** Of plain text. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOfOne(character);
  return columns;
}

const columnsOfOne = (character: string): number => (mark.test(character) ? 0 : wide.test(character) ? 2 : 1);

/** Of plain text; what was cut says so at its end. */
export function cutTo(columns: number, text: string): string {
  if (columnsOf(text) <= columns) return text;
  return startOf(text, columns - cutMark.length) + cutMark;
}

/** Of plain text; what stands at its end, for a line that somebody types. */
export function endOf(columns: number, text: string): string {
  const characters = Array.from(text);
  while (columnsOf(characters.join('')) > columns) characters.shift();
  return characters.join('');
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

function startOf(text: string, columns: number): string {
  let start = '';
  let filled = 0;
  for (const character of text) {
    filled += columnsOfOne(character);
    if (filled > columns) break;
    start += character;
  }
  return start;
}
