/** Lists that grow with each call. Only their newest entries are kept, so that they do not grow without end. */

/** At least half of these entries are kept. So many are dropped at once that the cost per call is negligible. */
export const mostKept = 50_000;

/** Adds an entry. Gives a new list if the first half was dropped. */
export function grown<One>(list: One[], one: One): One[] {
  list.push(one);
  return list.length > mostKept ? list.slice(-mostKept / 2) : list;
}
