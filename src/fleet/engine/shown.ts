/** SQL for reading columns in which a person may have written by hand: a text of megabytes, or an infinite time. */

/** A text for people, with as many characters as they read. */
export const shown = (column: string, as = column.replace(/^.*\./, '')): string =>
  `left(${column}, 255) AS ${as}`;

/**
 * Milliseconds since a time. An infinite time counts as now, because it cannot be subtracted: the whole statement would
 * fail, and with it the beats of all members.
 */
export const elapsed = (column: string): string =>
  `(extract(epoch FROM clock_timestamp()
    - CASE WHEN NOT isfinite(${column}) THEN clock_timestamp() ELSE ${column} END) * 1000)::float8`;
