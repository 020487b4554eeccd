/** A clock that a test moves forward. Tokens expire and schedules run, and a wait ends at once if its time is over. */
import type { Clock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { milliseconds } from '../core/duration.ts';

export interface MovedClock extends Clock {
  /** The milliseconds by which it is ahead of the machine's clock. */
  ahead(): number;
  advance(span: Duration): void;
  /** Sets wall time back to that of the machine. Monotonic time does not go back. */
  comeBack(): void;
}

export function movedClock(machine: Clock): MovedClock {
  let ahead = 0;
  let skipped = 0;
  let moved = new AbortController();
  const passed = () => machine.monotonic() + skipped;
  return {
    // Only sleeps are moved, because a simulated cloud has no other waits.
    ...machine,
    ahead: () => ahead,
    monotonic: passed,
    now: () => machine.now() + ahead,
    async sleep(span, { signal } = {}) {
      const due = passed() + span;
      for (let left: number = span; left > 0; left = due - passed()) {
        const move = moved.signal;
        const either = AbortSignal.any(signal ? [move, signal] : [move]);
        try {
          await machine.sleep(milliseconds(left), { signal: either });
          return;
        } catch (cause) {
          signal?.throwIfAborted();
          if (!move.aborted) throw cause;
        }
      }
    },
    advance(span) {
      ahead += span;
      skipped += span;
      const before = moved;
      moved = new AbortController();
      before.abort();
    },
    comeBack() {
      ahead = 0;
    },
  };
}
