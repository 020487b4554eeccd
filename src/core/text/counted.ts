/** How many of what: `1 terminal`, `2 terminals`. Nouns with a plural in s alone. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
