/** Rows as aligned columns for a terminal; the first row is the heading. */
import { printableWhole } from '../../core/text/printable.ts';
import { columnsOf } from '../../prompt/columns.ts';

export function table(rows: readonly (readonly string[])[]): string {
  const clean = rows.map((row) => row.map(printableWhole));
  const widths = clean.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, columnsOf(cell))),
    [],
  );
  return clean
    .map((row) =>
      row
        .map((cell, column) => padded(cell, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Adds blanks at the end. */
export const padded = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
