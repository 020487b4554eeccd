/**
 * Our own limit towards one server: a token bucket (api-supplement.md 12, row 33). A call that a person waits for goes
 * before all that can wait, such as the history of what was printed, and finds a tenth of the burst kept for it. What the server says by 429 and Retry-After is
 * obeyed besides, by whoever repeats the call.
 */
import type { Clock } from '../../core/clock.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { Urgency } from '../link/breaker.ts';

export interface Limits {
  readonly requestsPerSecond: number;
  readonly burst: number;
}

/** Waits for its turn; among calls of one urgency first come, first served. Rejects with the signal's reason. */
export type Limiter = (urgency: Urgency, options: CallOptions) => Promise<void>;

/** Of so many turns the background has at least one when it waits: no crowd of badges keeps it out for ever. */
export const turnsToOneOfBackground = 10;

export function createLimiter({ limits, clock }: { limits: Limits; clock: Clock }): Limiter {
  const waiting: Record<Urgency, (() => void)[]> = { person: [], background: [] };
  /** What can wait leaves so many tokens, so that whoever stands there does not wait for the next one. */
  const kept = Math.floor(limits.burst / 10);
  let tokens = limits.burst;
  let filledAt = clock.monotonic();
  /** Turns that the background has waited through. */
  let passedOver = 0;
  let timer: unknown;

  function fill(): void {
    const now = clock.monotonic();
    tokens = Math.min(limits.burst, tokens + ((now - filledAt) / 1000) * limits.requestsPerSecond);
    filledAt = now;
  }

  /** Whose turn it is, and how many tokens there must be for it. */
  function turn(): { readonly urgency: Urgency; readonly needs: number } | undefined {
    const { person, background } = waiting;
    if (background.length > 0 && passedOver >= turnsToOneOfBackground - 1)
      return { urgency: 'background', needs: 1 };
    if (person.length > 0) return { urgency: 'person', needs: 1 };
    return background.length > 0 ? { urgency: 'background', needs: kept + 1 } : undefined;
  }

  function serve(): void {
    clock.clearTimeout(timer);
    fill();
    for (let next = turn(); next; next = turn()) {
      const { urgency, needs } = next;
      if (tokens < needs) {
        timer = clock.setTimeout(serve, Math.ceil(((needs - tokens) / limits.requestsPerSecond) * 1000));
        return;
      }
      tokens -= 1;
      passedOver = urgency === 'person' && waiting.background.length > 0 ? passedOver + 1 : 0;
      waiting[urgency].shift()?.();
    }
  }

  return (urgency, { signal }) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const go = () => {
      signal.removeEventListener('abort', leave);
      resolve();
    };
    const leave = () => {
      waiting[urgency] = waiting[urgency].filter((one) => one !== go);
      reject(signal.reason);
      serve();
    };
    signal.addEventListener('abort', leave, { once: true });
    waiting[urgency].push(go);
    if (signal.aborted) leave();
    else serve();
    return promise;
  };
}
