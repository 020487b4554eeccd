/**
 * As SQL, milliseconds since a time of a row. A time without end is written by hand alone: it counts as now, for one that
 * is subtracted fails the whole statement, and with it the beats of everybody.
 */
export const age = (column: string): string =>
  `(extract(epoch FROM clock_timestamp()
    - CASE WHEN NOT isfinite(${column}) THEN clock_timestamp() ELSE ${column} END) * 1000)::float8`;
