/**
 * The system's clock, except that a test may put it forward: what waits for minutes is over then, while real sockets
 * and processes go on. For whole agents, where a clock that stands still would hold up everything.
 */
import type { Clock } from '../../src/core/clock.ts';
import type { Duration } from '../../src/core/duration.ts';
import { milliseconds } from '../../src/core/duration.ts';
import { sleepBy } from './sleep-by.ts';

export interface ForwardClock extends Clock {
  /** All at once: deadlines that are running run out too. */
  forward(span: Duration): void;
  /** Runs about twenty times as fast until the work is done, or puts itself forward by so much 100 times a second. */
  hurry<Result>(work: Promise<Result>, step?: Duration): Promise<Result>;
}

interface Timer {
  /** By this clock's monotonic time. */
  readonly at: number;
  readonly fire: () => void;
  armed?: NodeJS.Timeout;
}

/** Slow enough for the calls of the agent to be answered within their deadlines. */
const usualStep = milliseconds(200);
const everyMilliseconds = 10;

export function forwardClock(): ForwardClock {
  let ahead = 0;
  const timers = new Set<Timer>();
  const monotonic = () => performance.now() + ahead;

  const arm = (timer: Timer) => {
    clearTimeout(timer.armed);
    const fire = () => {
      timers.delete(timer);
      timer.fire();
    };
    timer.armed = setTimeout(fire, Math.max(0, timer.at - monotonic()));
  };
  const schedule = (fire: () => void, delay: number): Timer => {
    const timer: Timer = { at: monotonic() + delay, fire };
    timers.add(timer);
    arm(timer);
    return timer;
  };
  const cancel = (timer: Timer) => {
    clearTimeout(timer.armed);
    timers.delete(timer);
  };
  const forward = (span: Duration) => {
    ahead += span;
    for (const timer of timers) arm(timer);
  };

  return {
    now: () => Date.now() + ahead,
    monotonic,
    sinceBoot: monotonic,
    forward,
    async hurry(work, step = usualStep) {
      const pushing = setInterval(() => forward(step), everyMilliseconds);
      try {
        return await work;
      } finally {
        clearInterval(pushing);
      }
    },
    sleep: sleepBy({ set: schedule, clear: cancel }),
    deadline(span, parent) {
      const limit = new AbortController();
      schedule(() => limit.abort(new DOMException('too late', 'TimeoutError')), span).armed?.unref();
      return parent ? AbortSignal.any([parent, limit.signal]) : limit.signal;
    },
    setTimeout: (action, delay) => schedule(action, delay),
    clearTimeout(timer) {
      if (timers.has(timer as Timer)) cancel(timer as Timer);
    },
  };
}
