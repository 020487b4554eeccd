/**
 * The printers of a whole building from a CSV file: `id,uri,serialNumber,reader`. The last two may be empty. With a
 * heading, the columns may have any order.
 */
import { z } from 'zod';
import type { Mistake } from '../../../config/mistakes.ts';
import { ConfigInvalid } from '../../../config/mistakes.ts';
import { printerUri } from '../../../config/schema/printer.ts';
import { terminalId } from '../../../config/schema/terminal.ts';
import type { CsvRow } from '../../../core/text/csv.ts';
import { readCsv } from '../../../core/text/csv.ts';
import type { PrinterAnswer, ReaderAnswer } from '../options.ts';
import { readerForms, readerSettings } from '../readers.ts';

export interface PrinterList {
  readonly printers: readonly PrinterAnswer[];
  readonly readers: readonly ReaderAnswer[];
}

const columns = ['id', 'uri', 'serialNumber', 'reader'] as const;
type Column = (typeof columns)[number];

/** The words that people use in a heading. Blanks and punctuation do not count. */
const headings: Readonly<Record<string, Column>> = {
  id: 'id',
  terminal: 'id',
  terminalid: 'id',
  uri: 'uri',
  printer: 'uri',
  printeruri: 'uri',
  address: 'uri',
  serialnumber: 'serialNumber',
  serial: 'serialNumber',
  reader: 'reader',
  cardreader: 'reader',
};

/** Throws `ConfigInvalid` with every mistake and its line. */
export function printersIn(file: string, text: string): PrinterList {
  const { rows, mistakes } = readCsv(text);
  const all: Mistake[] = mistakes.map(({ line, message }) => ({ path: [], line, message }));
  const note = (line: number, message: string) => void all.push({ path: [], line, message });
  const { order, rest } = headed(rows, note);
  if (all.length > 0) throw new ConfigInvalid(file, all);
  const terminals = rest.map((row) => ({ line: row.line, ...byName(row, order, note) }));
  for (const one of terminals) checkTerminal(one, terminals, note);
  if (rest.length === 0)
    all.push({
      path: [],
      message: 'contains no printer. Write one line for each: id,uri,serialNumber,reader',
    });
  if (all.length > 0) throw new ConfigInvalid(file, all);
  return {
    printers: terminals.map(({ id = '', uri = '', serialNumber }) => ({ id, uri, serialNumber })),
    readers: terminals.flatMap(({ id, reader }) => (reader === undefined ? [] : [{ terminal: id, reader }])),
  };
}

type Note = (line: number, message: string) => void;

const plain = (cell: string): string => cell.toLowerCase().replace(/[^a-z]/g, '');

/** Without a heading, the columns have the default order. */
function headed(
  rows: readonly CsvRow[],
  note: Note,
): { order: readonly (Column | undefined)[]; rest: readonly CsvRow[] } {
  const [first, ...rest] = rows;
  const order = first?.cells.map((cell) => headings[plain(cell)]) ?? [];
  // A terminal may have the name of a column. Two such names in one line are a heading.
  const isHeading = order.filter((one) => one !== undefined).length > 1;
  if (!first || !isHeading) return { order: columns, rest: rows };
  for (const [at, cell] of first.cells.entries()) {
    const isUnknown = order[at] === undefined && cell !== '';
    if (isUnknown) note(first.line, `the column "${cell}" is unknown. The columns are ${columns.join(', ')}`);
  }
  if (!order.includes('id') || !order.includes('uri')) note(first.line, 'the columns id and uri are missing');
  return { order, rest };
}

type Named = Partial<Record<Column, string>>;

function byName({ line, cells }: CsvRow, order: readonly (Column | undefined)[], note: Note): Named {
  if (cells.slice(order.length).some((cell) => cell !== ''))
    note(line, `has more than ${order.length} columns`);
  return Object.fromEntries(
    order.flatMap((column, at) => {
      const cell = cells[at] ?? '';
      return column === undefined || cell === '' ? [] : [[column, cell]];
    }),
  );
}

const rules = {
  id: { what: 'the id', schema: terminalId },
  uri: { what: 'the printer', schema: printerUri },
  serialNumber: {
    what: 'the serial number',
    schema: z.string().max(255, 'must be at most 255 characters long'),
  },
  reader: {
    what: 'the reader',
    schema: z.string().refine((text) => readerSettings(text), `must be ${readerForms}`),
  },
} as const;

type Terminal = Named & { readonly line: number };

function checkTerminal(one: Terminal, all: readonly Terminal[], note: Note): void {
  for (const column of columns) {
    const { what, schema } = rules[column];
    const value = one[column];
    if (value === undefined) {
      if (column === 'id' || column === 'uri') note(one.line, `${what} is missing`);
      continue;
    }
    const message = schema.safeParse(value).error?.issues[0]?.message;
    if (message !== undefined) note(one.line, `${what} ${JSON.stringify(value)}: ${message}`);
  }
  const earlier = all.find(({ id }) => id === one.id);
  if (one.id !== undefined && earlier && earlier !== one) {
    note(one.line, `the id ${JSON.stringify(one.id)} is already in line ${earlier.line}`);
  }
}
