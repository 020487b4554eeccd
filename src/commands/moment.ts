/** A point in time as it is typed: `2026-11-22T10:15`, or so long ago as in `30m`, `12h`, `7d`. */
import { InvalidArgumentError } from 'commander';
import { parseInstant } from '../core/clock.ts';
import { hours, minutes } from '../core/duration.ts';

/** Given the present, for a span is counted back from there; milliseconds since 1970. */
export function moment(text: string): (now: number) => number {
  const [, count, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  const span = { m: minutes(1), h: hours(1), d: hours(24) }[unit ?? ''];
  if (span !== undefined) return (now) => now - Number(count) * span;
  const at = parseInstant(text);
  if (at === undefined) throw new InvalidArgumentError('must be a time (ISO 8601), or as in 30m, 12h, 7d.');
  return () => at;
}
