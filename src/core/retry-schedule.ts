/**
 * How long to wait before each new try, as an iterable: no clock and no counter inside, a fresh one per run.
 * (A counter that lived in a closure and was never reset is one of the scars this project remembers.)
 */
import type { Duration } from './duration.ts';
import { shortest } from './duration.ts';

export interface RetrySchedule {
  readonly first: Duration;
  readonly factor: number;
  readonly longest: Duration;
}

/** Endless: first, first×factor, … never above longest. */
export function* waits(schedule: RetrySchedule): Generator<Duration, never> {
  for (let wait = schedule.first; ; wait = (wait * schedule.factor) as Duration) {
    yield shortest(wait, schedule.longest);
    if (wait > schedule.longest) wait = schedule.longest;
  }
}

/** The wait before try number `attempt` (1 = the first repetition). */
export const waitBefore = (attempt: number, schedule: RetrySchedule): Duration =>
  Math.min(schedule.first * schedule.factor ** Math.max(0, attempt - 1), schedule.longest) as Duration;
