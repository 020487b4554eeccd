/**
 * Time in which something ran. A suspended computer, a paused virtual machine, a stopped process: time passes there in
 * which nobody could have answered, and nobody's silence is counted by it.
 */
import type { Clock } from './clock.ts';
import type { Duration } from './duration.ts';

/**
 * Gives milliseconds since it was made. Whoever asks does so again within `longest` while we run: what a gap has more than
 * that was no time for anybody.
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
