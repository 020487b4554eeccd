/**
 * As SQL, a text that people are shown, so much of it as anybody reads: whoever writes in the engine may have put one of
 * megabytes there.
 */
export const shown = (column: string, as = column.replace(/^.*\./, '')): string =>
  `left(${column}, 255) AS ${as}`;
