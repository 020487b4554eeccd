/**
 * How long to wait between two polls for approval (api-supplement.md 12, row 1): the first interval for two minutes,
 * then half a minute, then the longest; five seconds more for each `slow_down` (RFC 8628 section 3.5).
 */
import type { Duration } from '../core/duration.ts';
import { longest, minutes, seconds, shortest } from '../core/duration.ts';

export interface PollIntervals {
  readonly first: Duration;
  readonly longest: Duration;
}

const briskFor = minutes(2);
const steadyUntil = minutes(15);
const steady = seconds(30);
const perSlowDown = seconds(5);

export function pollInterval(elapsed: number, intervals: PollIntervals, slowDowns: number): Duration {
  const ceiling = longest(intervals.first, intervals.longest);
  const planned =
    elapsed < briskFor ? intervals.first : elapsed < steadyUntil ? shortest(steady, ceiling) : ceiling;
  return (longest(planned, intervals.first) + slowDowns * perSlowDown) as Duration;
}
