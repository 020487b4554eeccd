/** How long the enrollment machine waits: between two polls, before a refresh, and after a failure. */
import type { Chance } from '../core/chance.ts';
import type { Duration } from '../core/duration.ts';
import { hours, longest, minutes, seconds, shortest } from '../core/duration.ts';
import { waitBefore } from '../core/retry-schedule.ts';
import type { DeviceTokens } from '../domain/device.ts';
import { Problem } from '../domain/problem/problem.ts';

export interface PollIntervals {
  readonly first: Duration;
  readonly longest: Duration;
}

const briskFor = minutes(2);
const steadyUntil = minutes(15);
const steady = seconds(30);
const perSlowDown = seconds(5);

/**
 * Between two polls for approval (src/cloud/README.md 12, row 1). For two minutes it is the first interval, then half a
 * minute until a quarter of an hour is over, then the longest. Each `slow_down` adds five seconds (RFC 8628 section
 * 3.5).
 */
export function pollInterval(elapsed: number, intervals: PollIntervals, slowDowns: number): Duration {
  const ceiling = longest(intervals.first, intervals.longest);
  const planned =
    elapsed < briskFor ? intervals.first : elapsed < steadyUntil ? shortest(steady, ceiling) : ceiling;
  return (longest(planned, intervals.first) + slowDowns * perSlowDown) as Duration;
}

/** Short enough to be served within a minute after the OAuth side came back (I7). */
const schedule = { first: seconds(2), factor: 2, longest: seconds(45) };

/** If the service asked for a wait, that is taken. */
export function backOff(
  { failures, lastError }: { readonly failures: number; readonly lastError: unknown },
  chance: Chance,
): Duration {
  const asked = lastError instanceof Problem ? lastError.retryAfter : undefined;
  return asked ?? chance.jitter(waitBefore(failures, schedule));
}

export const freshFor = seconds(30);
const refreshLook = { rarely: minutes(5), often: seconds(5) };

/**
 * A short-lived token is checked often, a long-lived one rarely, and never more often than every few seconds. The check
 * comes at the exact moment at which this device refreshes. On a grid of seconds, devices that started together would
 * refresh together.
 */
export function untilRefreshLook(tokens: DeviceTokens | undefined, used: number, share: number): Duration {
  const untilDue = tokens ? tokens.expiresIn * (share - used) : hours(1);
  return Math.min(untilDue > 0 ? Math.ceil(untilDue) : refreshLook.often, refreshLook.rarely) as Duration;
}
