/** Spans of time whose unit cannot be mistaken: a `Duration` is always milliseconds inside. */
declare const unit: unique symbol;
export type Duration = number & { readonly [unit]: 'milliseconds' };

export const milliseconds = (count: number): Duration => count as Duration;
export const seconds = (count: number): Duration => (count * 1000) as Duration;
export const minutes = (count: number): Duration => (count * 60_000) as Duration;
export const hours = (count: number): Duration => (count * 3_600_000) as Duration;

/** No end is expected: the wait is for a person or a device. */
export const forEver = Number.POSITIVE_INFINITY as Duration;

/** To the millisecond: a clock counts finer, and nobody reads that. */
export const inSeconds = (span: Duration): number => Math.round(span) / 1000;
export const inMinutes = (span: Duration): number => span / 60_000;

export const shortest = (...spans: readonly Duration[]): Duration => Math.min(...spans) as Duration;
export const longest = (...spans: readonly Duration[]): Duration => Math.max(...spans) as Duration;
