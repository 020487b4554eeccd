/** A count and its noun: `1 terminal`, `2 terminals`. Only for nouns with a plural in s. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
