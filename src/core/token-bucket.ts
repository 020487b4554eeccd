/** Limits a rate: tokens come with time, up to a burst, and each action takes one. */
import type { Clock } from './clock.ts';
import type { Duration } from './duration.ts';
import { milliseconds } from './duration.ts';

/** Read anew each time, because it may change. */
export interface Rate {
  readonly requestsPerSecond: number;
  readonly burst: number;
}

export class TokenBucket {
  readonly #rate: Rate;
  readonly #clock: Clock;
  #tokens: number;
  #filledAt: number;

  constructor(rate: Rate, clock: Clock) {
    this.#rate = rate;
    this.#clock = clock;
    this.#tokens = rate.burst;
    this.#filledAt = clock.monotonic();
  }

  /** Takes a token if `others` tokens remain after it; `false`: there are too few. */
  take(others = 0): boolean {
    this.#fill();
    if (this.#tokens < others + 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** The time until `take` will succeed. */
  wait(others = 0): Duration {
    const missing = others + 1 - this.#tokens;
    return milliseconds(Math.ceil((missing / this.#rate.requestsPerSecond) * 1000));
  }

  /** What was saved is gone: the next token comes with time. */
  empty(): void {
    this.#fill();
    this.#tokens = Math.min(0, this.#tokens);
  }

  #fill(): void {
    const { requestsPerSecond, burst } = this.#rate;
    const now = this.#clock.monotonic();
    const come = ((now - this.#filledAt) / 1000) * requestsPerSecond;
    this.#tokens = Math.min(burst, this.#tokens + come);
    this.#filledAt = now;
  }
}
