/** What grows with each call, and would grow as long as the simulated cloud runs: of it the last ones are kept. */

/** Half of these at least: so many are let go at once that it costs a call nothing. */
export const mostKept = 50_000;

/** The list with one more. It is another list where the first half was let go. */
export function grown<One>(list: One[], one: One): One[] {
  list.push(one);
  return list.length > mostKept ? list.slice(-mostKept / 2) : list;
}
