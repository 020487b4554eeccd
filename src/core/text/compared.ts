/** Orders two texts by their code units, the same on every machine; for `toSorted`. */
export const compared = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
