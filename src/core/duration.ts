/** Spans of time with a unit that cannot be mistaken: a `Duration` is always in milliseconds. */
declare const unit: unique symbol;
export type Duration = number & { readonly [unit]: 'milliseconds' };

export const milliseconds = (count: number): Duration => count as Duration;
export const seconds = (count: number): Duration => (count * 1000) as Duration;
export const minutes = (count: number): Duration => (count * 60_000) as Duration;
export const hours = (count: number): Duration => (count * 3_600_000) as Duration;

/** For a wait with no expected end, such as a wait for a person or a device. */
export const forEver = Number.POSITIVE_INFINITY as Duration;

/** Rounded to the millisecond: a clock is finer, but a reader of a log does not need more. */
export const inSeconds = (span: Duration): number => Math.round(span) / 1000;
export const inMinutes = (span: Duration): number => span / 60_000;

export const shortest = (...spans: readonly Duration[]): Duration => Math.min(...spans) as Duration;
export const longest = (...spans: readonly Duration[]): Duration => Math.max(...spans) as Duration;
