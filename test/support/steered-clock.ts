/** A clock that stands still until a test moves it. Wall and monotonic time start at different figures on purpose. */
import type { Clock } from '../../src/core/clock.ts';
import type { Duration } from '../../src/core/duration.ts';
import { sleepBy } from './sleep-by.ts';

export interface SteeredClock extends Clock {
  /** Moves time, firing what becomes due in order, and lets everything that follows from it happen. */
  advance(span: Duration): Promise<void>;
  /** Somebody sets the wall clock, so far ahead of where it stood; monotonic time goes on. */
  setAhead(span: Duration): void;
  /** Time that a synchronous call takes: nothing fires before it is over. */
  spend(span: Duration): void;
  /** The waits somebody has on at the moment, shortest first, in milliseconds from now. */
  waits(): readonly number[];
}

interface Timer {
  readonly at: number;
  readonly fire: () => void;
}

export function createSteeredClock(): SteeredClock {
  let wallStart = Date.UTC(2026, 10, 21, 12);
  let now = 5000;
  const timers = new Set<Timer>();

  const schedule = (fire: () => void, delay: number): Timer => {
    const timer = { at: now + delay, fire };
    timers.add(timer);
    return timer;
  };
  const byTime = (): Timer[] => [...timers].sort((a, b) => a.at - b.at);

  return {
    now: () => wallStart + now - 5000,
    monotonic: () => now,
    sinceBoot: () => now,
    sleep: sleepBy({ set: schedule, clear: (timer) => timers.delete(timer) }),
    deadline(span, parent) {
      const limit = new AbortController();
      schedule(() => limit.abort(new DOMException('too late', 'TimeoutError')), span);
      return parent ? AbortSignal.any([parent, limit.signal]) : limit.signal;
    },
    setTimeout: (action, delay) => schedule(action, delay),
    clearTimeout(timer) {
      for (const one of timers) if (one === timer) timers.delete(one);
    },
    async advance(span) {
      const end = now + span;
      await settled();
      for (let next = byTime()[0]; next && next.at <= end; next = byTime()[0]) {
        timers.delete(next);
        now = Math.max(now, next.at);
        next.fire();
        await settled();
      }
      now = Math.max(now, end);
    },
    setAhead(span) {
      wallStart += span;
    },
    spend(span) {
      now += span;
    },
    waits: () => byTime().map(({ at }) => at - now),
  };
}

/** After everything that is already on its way without time passing. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
