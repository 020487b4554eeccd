/** The system's clock, so many times as fast: what waits seconds by the book is over in milliseconds. */
import type { Clock } from '../../src/core/clock.ts';
import { systemClock } from '../../src/core/clock.ts';
import { milliseconds } from '../../src/core/duration.ts';

export const briskClock = (factor: number): Clock => ({
  now: () => systemClock.now(),
  sinceBoot: () => systemClock.sinceBoot(),
  monotonic: () => systemClock.monotonic() * factor,
  sleep: (span, options) => systemClock.sleep(milliseconds(span / factor), options),
  deadline: (span, parent) => systemClock.deadline(milliseconds(Math.ceil(span / factor)), parent),
  setTimeout: (action, delay) => systemClock.setTimeout(action, delay / factor),
  clearTimeout: (timer) => systemClock.clearTimeout(timer),
});
