/**
 * Known pairs of card numbers, as read by the reader and as stored by the service. They come from a CSV file with or
 * without a heading.
 */
import { readCsv } from '../../core/text/csv.ts';
import { normaliseCard } from './card-number.ts';

export interface CardPair {
  /** The line in the file, counted from 1. */
  readonly line: number;
  /** As the reader's edge hands it to a rule, see `card-number.ts`. */
  readonly read: string;
  readonly stored: string;
}

export interface CardPairs {
  readonly pairs: readonly CardPair[];
  /** `line 3: …`, with the mistake and the remedy. */
  readonly mistakes: readonly string[];
}

const longest = 128;

export function readCardPairs(file: string): CardPairs {
  const { rows, mistakes: unreadable } = readCsv(file);
  const [first] = rows;
  const pairs: CardPair[] = [];
  const mistakes = unreadable.map(({ line, message }) => `line ${line}: ${message}`);
  for (const row of rows) {
    if (row === first && isHeading(row.cells)) continue;
    const result = pairOf(row.cells, row.line);
    if (typeof result === 'string') mistakes.push(`line ${row.line}: ${result}`);
    else if (!pairs.some(({ read, stored }) => read === result.read && stored === result.stored)) {
      pairs.push(result);
    }
  }
  return { pairs, mistakes };
}

/** A heading has words in place of numbers. */
const isHeading = (cells: readonly string[]): boolean =>
  cells.every((cell) => !/^[0-9A-F]+$/i.test(cell) && !/\d.*\d/.test(cell));

function pairOf([read = '', stored = '', ...rest]: readonly string[], line: number): CardPair | string {
  if (read === '' || stored === '' || rest.some((cell) => cell !== '')) {
    return 'must have two columns: the number from the reader and the stored number';
  }
  if ([read, stored].some((number) => /^\d[.,]\d+E\+?\d+$/i.test(number))) {
    return 'a spreadsheet has rounded this number. Format the columns as text, and fill them in again';
  }
  const card = normaliseCard(read);
  if (!card) return 'the first number is not one of a reader';
  if (!/^[!-~]+$/.test(stored) || stored.length > longest) {
    return `the stored number must be 1 to ${longest} characters without blanks`;
  }
  return { line, read: card.reveal(), stored };
}
