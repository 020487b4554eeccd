/**
 * How long to wait before each new try, as an iterable. It has no clock and no counter inside, and each run has a fresh
 * one. (An earlier counter lived in a closure and was never reset; this project remembers that defect.)
 */
import type { Duration } from './duration.ts';
import { shortest } from './duration.ts';

export interface RetrySchedule {
  readonly first: Duration;
  readonly factor: number;
  readonly longest: Duration;
}

/** Endless: first, first×factor, … and never above longest. */
export function* waits(schedule: RetrySchedule): Generator<Duration, never> {
  for (let wait = schedule.first; ; wait = (wait * schedule.factor) as Duration) {
    yield shortest(wait, schedule.longest);
    if (wait > schedule.longest) wait = schedule.longest;
  }
}

/** The wait before try number `attempt`; 1 is the first repetition. */
export const waitBefore = (attempt: number, schedule: RetrySchedule): Duration =>
  Math.min(schedule.first * schedule.factor ** Math.max(0, attempt - 1), schedule.longest) as Duration;
