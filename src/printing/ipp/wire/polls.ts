/**
 * The turns of a loop that asks a printer about a job: the first at once, the next more and more slowly, until the time
 * is over.
 */
import type { Clock } from '../../../core/clock.ts';
import { waits } from '../../../core/retry-schedule.ts';
import { jobPolls } from '../../timings.ts';

export async function* pollsUntil(over: AbortSignal, clock: Clock): AsyncGenerator<void> {
  for (const pause of waits(jobPolls)) {
    if (over.aborted) return;
    yield;
    try {
      await clock.sleep(pause, { signal: over });
    } catch (error) {
      if (!over.aborted) throw error;
    }
  }
}
