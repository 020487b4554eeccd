/**
 * Our own limit towards one server: a token bucket (api-supplement.md 12, row 33). What the server says by 429 and
 * Retry-After is obeyed besides, by whoever repeats the call.
 */
import type { Clock } from '../core/clock.ts';
import { milliseconds } from '../core/duration.ts';
import type { CallOptions } from '../domain/ports/call.ts';

export interface Limits {
  readonly requestsPerSecond: number;
  readonly burst: number;
}

/** Waits for its turn; first come, first served. Rejects with the signal's reason. */
export type Limiter = (options: CallOptions) => Promise<void>;

export function createLimiter({ limits, clock }: { limits: Limits; clock: Clock }): Limiter {
  let tokens = limits.burst;
  let filledAt = clock.monotonic();
  return async ({ signal }) => {
    const now = clock.monotonic();
    tokens = Math.min(limits.burst, tokens + ((now - filledAt) / 1000) * limits.requestsPerSecond);
    filledAt = now;
    tokens -= 1;
    if (tokens >= 0) return;
    // The bucket goes into debt, so that each one who waits has a place in time of its own.
    try {
      await clock.sleep(milliseconds((-tokens / limits.requestsPerSecond) * 1000), { signal });
    } catch (error) {
      tokens += 1;
      throw error;
    }
  };
}
