/**
 * Known pairs of card numbers, what the reader gave and what the service stores, from a CSV file (RFC 4180, and what
 * spreadsheets make of it: a byte order mark, `;` or tabs between columns, blanks around them, a heading or none).
 */
import { normaliseCard } from './card-number.ts';

export interface CardPair {
  /** In the file, from 1. */
  readonly line: number;
  /** As the reader's edge hands it to a rule, see `card.ts`. */
  readonly read: string;
  readonly stored: string;
}

export interface CardPairs {
  readonly pairs: readonly CardPair[];
  /** `line 3: …`, what is wrong and what to do. */
  readonly mistakes: readonly string[];
}

const separators = [';', '\t', ','] as const;
const longest = 128;

export function readCardPairs(file: string): CardPairs {
  const lines = file.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const rows = lines
    .map((text, index) => ({ line: index + 1, text: text.trim() }))
    .filter(({ text }) => text !== '' && !text.startsWith('#'));
  const [first] = rows;
  const separator = separators.find((one) => first && cellsOf(first.text, one).length > 1) ?? ',';
  const pairs: CardPair[] = [];
  const mistakes: string[] = [];
  for (const row of rows) {
    const cells = cellsOf(row.text, separator);
    if (row === first && isHeading(cells)) continue;
    const result = pairOf(cells, row.line);
    if (typeof result === 'string') mistakes.push(`line ${row.line}: ${result}`);
    else if (!pairs.some(({ read, stored }) => read === result.read && stored === result.stored)) {
      pairs.push(result);
    }
  }
  return { pairs, mistakes };
}

/** Quotes hold a separator together, and are written twice to stand for themselves. */
function cellsOf(row: string, separator: string): readonly string[] {
  const cells: string[] = [''];
  let isQuoted = false;
  for (const char of row) {
    if (char === '"') isQuoted = !isQuoted;
    if (char === separator && !isQuoted) cells.push('');
    else cells[cells.length - 1] += char;
  }
  return cells.map((cell) => {
    // ="0012" is how a spreadsheet is told to leave a number alone.
    const text = cell.trim().replace(/^=(?=")/, '');
    return text
      .replace(/^"(.*)"$/, '$1')
      .replaceAll('""', '"')
      .trim();
  });
}

/** Words, where numbers would be. */
const isHeading = (cells: readonly string[]): boolean =>
  cells.every((cell) => !/^[0-9A-F]+$/i.test(cell) && !/\d.*\d/.test(cell));

function pairOf([read = '', stored = '', ...rest]: readonly string[], line: number): CardPair | string {
  if (read === '' || stored === '' || rest.some((cell) => cell !== '')) {
    return 'must be two columns, the number read and the number stored';
  }
  if ([read, stored].some((number) => /^\d[.,]\d+E\+?\d+$/i.test(number))) {
    return 'a spreadsheet has rounded this number; format the columns as text and fill them in again';
  }
  const card = normaliseCard(read);
  if (!card) return 'the number read is none a reader gives';
  if (!/^[!-~]+$/.test(stored) || stored.length > longest) {
    return `the number stored must be 1 to ${longest} characters without blanks`;
  }
  return { line, read: card.reveal(), stored };
}
