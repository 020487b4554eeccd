/**
 * Names of PC/SC readers. pcsc-lite ends each name with the numbers of the reader and of its slot (`ACS ACR122U 00
 * 00`). They change when a reader is plugged in again, so they do not tell readers apart.
 */

/** Whether the pattern fits this name; `*` in it stands for any text. */
export const namesReader = (pattern: string, name: string): boolean => canNameOne(pattern, name);

/** Whether there is a name that both patterns fit. */
export function canNameOne(pattern: string, other: string): boolean {
  const one = withoutNumbers(pattern);
  const two = withoutNumbers(other);
  // fits[b]: the rest of `one` from here on can be the same text as `two` from b on.
  let fits = Array.from({ length: two.length + 1 }, (_, b) => /^\**$/.test(two.slice(b)));
  for (let a = one.length - 1; a >= 0; a -= 1) {
    const next = fits;
    fits = [];
    for (let b = two.length; b >= 0; b -= 1) {
      const rest = fits[b + 1] ?? false;
      if (one[a] === '*') fits[b] = (next[b] ?? false) || rest;
      else if (two[b] === '*') fits[b] = rest || (next[b] ?? false);
      else fits[b] = one[a] === two[b] && (next[b + 1] ?? false);
    }
  }
  return fits[0] ?? false;
}

const withoutNumbers = (name: string): string => name.replace(/( [0-9A-F]{2}){2}$/, '');
