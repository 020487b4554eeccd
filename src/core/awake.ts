/**
 * Measures the time in which this process could run. While the computer is suspended, the virtual machine paused or the
 * process stopped, nothing could answer, so that time must not count as silence of the other side.
 */
import type { Clock } from './clock.ts';
import type { Duration } from './duration.ts';

/**
 * Gives the milliseconds since it was made. The caller asks at least once within `longest` while the process runs; the
 * part of a longer gap that exceeds `longest` does not count.
 */
export function awakeTime(clock: Clock, longest: Duration): () => number {
  let last = clock.monotonic();
  let passed = 0;
  return () => {
    const now = clock.monotonic();
    passed += Math.min(now - last, longest);
    last = now;
    return passed;
  };
}
