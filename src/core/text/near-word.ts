/** Finds the word that a person meant but mistyped: the nearest by letters left out, added, changed or swapped. */

/** `undefined` if no word is near: a short word may have one slip, a longer word one slip for every four letters. */
export function nearWord(typed: string, words: readonly string[]): string | undefined {
  const wanted = typed.toLowerCase();
  const [nearest] = words
    .map((word) => ({ word, slips: slipsBetween(wanted, word.toLowerCase()) }))
    .filter(({ word, slips }) => slips <= Math.floor((Math.max(wanted.length, word.length) + 1) / 4))
    .toSorted((one, other) => one.slips - other.slips);
  return nearest?.word;
}

/** `; did you mean KEY?` for the end of a sentence, or an empty text. */
export function didYouMean(typed: string, words: readonly string[]): string {
  const near = nearWord(typed, words);
  return near === undefined ? '' : `; did you mean ${near}?`;
}

/** Optimal string alignment: Levenshtein's distance, but two swapped letters count as one slip. */
function slipsBetween(one: string, other: string): number {
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = last;
    last = next;
  }
  return last[other.length] ?? 0;
}
