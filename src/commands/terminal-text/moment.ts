/** A moment of the past as an administrator types it. */
import { InvalidArgumentError } from 'commander';
import { isoWithOffset, parseInstant } from '../../core/clock.ts';
import { hours, minutes, seconds } from '../../core/duration.ts';

/** Gets the present time; returns milliseconds since 1970. */
export type Moment = (now: number) => number;

const day = hours(24);
const units: Readonly<Record<string, number>> = { s: seconds(1), m: minutes(1), h: hours(1), d: day };
const form =
  'must be a time (10:15, 2026-11-22 10:15, ISO 8601), or how long ago, for example 10s, 30m, 12h, 7d.';

/** A time without a zone is local. A time without a day means its latest occurrence. */
export function moment(text: string): Moment {
  const [, count, unit = ''] = /^(\d{1,5})([smhd])$/.exec(text) ?? [];
  const span = units[unit];
  if (span !== undefined) return (now) => now - Number(count) * span;
  if (/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(text)) return (now) => lastSuch(text, now);
  // The parser would accept many other texts, so a day must come first.
  const [date] = /^\d{4}-\d\d-\d\d/.exec(text) ?? [];
  const at = date && parseInstant(text === date ? `${date}T00:00` : text.replace(' ', 'T'));
  if (typeof at !== 'number') throw new InvalidArgumentError(form);
  return () => at;
}

/** If there are no seconds, the end of the minute, so that events within this minute are included. */
export function endOfMoment(text: string): Moment {
  const begin = moment(text);
  const isMinute = /(^|[T ])\d\d:\d\d$/.test(text);
  return isMinute ? (now) => begin(now) + minutes(1) - 1 : begin;
}

function lastSuch(time: string, now: number): number {
  const onDayOf = (wall: number) => parseInstant(`${isoWithOffset(wall).slice(0, 10)}T${time}`) ?? now;
  const today = onDayOf(now);
  return today <= now ? today : onDayOf(now - day);
}
