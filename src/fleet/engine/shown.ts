/**
 * As SQL, what is read of rows in which somebody may have written by hand: a text of megabytes, or a time without end.
 */

/** A text that people are shown, so much of it as anybody reads. */
export const shown = (column: string, as = column.replace(/^.*\./, '')): string =>
  `left(${column}, 255) AS ${as}`;

/**
 * Milliseconds since a time. One without end counts as now, for it cannot be subtracted: the whole statement would fail,
 * and with it the beats of everybody.
 */
export const elapsed = (column: string): string =>
  `(extract(epoch FROM clock_timestamp()
    - CASE WHEN NOT isfinite(${column}) THEN clock_timestamp() ELSE ${column} END) * 1000)::float8`;
