/** Rows as aligned columns for a terminal; the first row is the heading. */
import { printableWhole } from '../../core/log.ts';

export function table(rows: readonly (readonly string[])[]): string {
  const clean = rows.map((row) => row.map(printableWhole));
  const widths = clean.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, cell.length)),
    [],
  );
  return clean
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
