/**
 * Reads the rows of a CSV file (RFC 4180), also as spreadsheets write it. They may add a byte order mark, `;` or tabs
 * between the columns, blanks around a cell, and `="0012"` for a number that stays as it is. Empty rows and comments
 * (`#`) are left out.
 */
export interface CsvRow {
  /** The line of the file, from 1, where the row begins. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface CsvMistake {
  readonly line: number;
  readonly message: string;
}

export interface Csv {
  readonly rows: readonly CsvRow[];
  readonly mistakes: readonly CsvMistake[];
}

const separators = [';', '\t', ','] as const;

/** Uses the separator of the first row. */
export function readCsv(file: string): Csv {
  const text = file.replace(/^\uFEFF/, '');
  const tries = separators.map((separator) => readWith(text, separator, { comments: true }));
  const [, , commas] = tries;
  return tries.find(({ rows: [first] }) => first && first.cells.length > 1) ?? commas ?? none;
}

/** For a file whose separator is given and that has no comments. */
export const readCsvOf = (file: string, separator: string): Csv =>
  readWith(file.replace(/^\uFEFF/, ''), separator, { comments: false });

const none: Csv = { rows: [], mistakes: [] };

function readWith(text: string, separator: string, { comments }: { comments: boolean }): Csv {
  const rows: CsvRow[] = [];
  const mistakes: CsvMistake[] = [];
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const begun = line;
    if (comments && text[at] === '#') at = endOfLine(text, at);
    const cells: string[] = [];
    for (let isLast = false; !isLast; ) {
      const cell = cellAt(text, at, separator);
      if (cell.mistake !== undefined) mistakes.push({ line, message: cell.mistake });
      cells.push(cell.text);
      line += cell.lines;
      isLast = text[cell.end] !== separator;
      at = isLast ? cell.end : cell.end + 1;
    }
    at += text.startsWith('\r\n', at) ? 2 : 1;
    line += 1;
    if (cells.some((cell) => cell !== '')) rows.push({ line: begun, cells });
  }
  return { rows, mistakes };
}

interface Cell {
  readonly text: string;
  /** The index of the separator, or of the end of the line or file. */
  readonly end: number;
  /** The number of line ends within the cell. */
  readonly lines: number;
  readonly mistake?: string;
}

function cellAt(text: string, start: number, separator: string): Cell {
  const opening = /[^\S\r\n\t]*=?"/y;
  opening.lastIndex = start;
  const open = opening.exec(text);
  if (!open) {
    const end = endOfCell(text, start, separator);
    return { text: text.slice(start, end).trim(), end, lines: 0 };
  }
  const body = /(?:[^"]|"")*/y;
  body.lastIndex = opening.lastIndex;
  const [inside = ''] = body.exec(text) ?? [];
  const words = inside.replaceAll('""', '"').trim();
  const lines = inside.match(/\r\n|\r|\n/g)?.length ?? 0;
  const closing = body.lastIndex;
  if (closing >= text.length) return { text: words, end: closing, lines, mistake: 'a quote is not closed' };
  const end = endOfCell(text, closing + 1, separator);
  const rest = text.slice(closing + 1, end).trim();
  return {
    text: words,
    end,
    lines,
    ...(rest === '' ? {} : { mistake: `text behind a closing quote: ${rest}` }),
  };
}

function endOfCell(text: string, start: number, separator: string): number {
  let end = start;
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return end;
}

const endOfLine = (text: string, start: number): number => endOfCell(text, start, '\n');
