/** Spans of time for an administrator, in their two largest units: `3 d 4 h`, `2 min 5 s`, `0 s`. */
import { parseInstant } from '../../core/clock.ts';
import { localTime } from './local-time.ts';

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** From milliseconds. A negative span (a clock was set) counts as zero. */
export function spanText(milliseconds: number): string {
  const span = Math.max(0, milliseconds);
  const at = units.findIndex(([, size]) => span >= size);
  if (at < 0) return '0 s';
  return units
    .slice(at, at + 2)
    .map(
      ([name, size], index) =>
        [Math.floor(index === 0 ? span / size : (span % (units[at]?.[1] ?? 1)) / size), name] as const,
    )
    .filter(([count], index) => index === 0 || count > 0)
    .map(([count, name]) => `${count} ${name}`)
    .join(' ');
}

/** `2026-11-22 03:12:00 (20 min)`, in local time */
export function sinceText(instant: string, now: number): string {
  const wall = parseInstant(instant);
  return wall === undefined ? instant : `${localTime(instant)} (${spanText(now - wall)})`;
}
