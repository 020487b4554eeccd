/**
 * Our own limit towards one server (src/cloud/README.md 12, row 33). A call that a person waits for goes before calls
 * that can wait, such as the history. The code that repeats a call also obeys 429 and Retry-After.
 */
import type { Clock } from '../../core/clock.ts';
import type { Rate } from '../../core/token-bucket.ts';
import { TokenBucket } from '../../core/token-bucket.ts';
import type { CallOptions } from '../../domain/ports/call.ts';

/** Whether a person waits for the call, or not, or whether it only tests that the server is up. */
export type Urgency = 'person' | 'background' | 'probe';

/**
 * Waits for its turn; calls of the same urgency go in the order in which they came. Rejects with the signal's reason.
 */
export type Limiter = (urgency: Urgency, options: CallOptions) => Promise<void>;

/** Of so many turns the background has at least one when it waits, so that many badges do not keep it out for ever. */
export const turnsToOneOfBackground = 10;

export function createLimiter(options: { limits: Rate; clock: Clock }): Limiter {
  const line = new WaitingLine(options.limits, options.clock);
  return (urgency, { signal }) => line.enter(urgency === 'person' ? 'person' : 'background', signal);
}

type Lane = 'person' | 'background';

class WaitingLine {
  readonly #clock: Clock;
  readonly #bucket: TokenBucket;
  /** The background leaves so many tokens, a tenth of the burst, so that a person does not wait for the next one. */
  readonly #kept: number;
  readonly #waiting: Record<Lane, (() => void)[]> = { person: [], background: [] };
  /** Turns for which the background has had to wait. */
  #passedOver = 0;
  #timer: unknown;

  constructor(limits: Rate, clock: Clock) {
    this.#clock = clock;
    this.#bucket = new TokenBucket(limits, clock);
    this.#kept = Math.floor(limits.burst / 10);
  }

  enter(lane: Lane, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const go = () => {
      signal.removeEventListener('abort', leave);
      resolve();
    };
    const leave = () => {
      this.#waiting[lane] = this.#waiting[lane].filter((one) => one !== go);
      reject(signal.reason);
      this.#serve();
    };
    signal.addEventListener('abort', leave, { once: true });
    this.#waiting[lane].push(go);
    if (signal.aborted) leave();
    else this.#serve();
    return promise;
  }

  #serve(): void {
    this.#clock.clearTimeout(this.#timer);
    for (let next = this.#turn(); next; next = this.#turn()) {
      const { lane, kept } = next;
      if (!this.#bucket.take(kept)) {
        this.#timer = this.#clock.setTimeout(() => this.#serve(), this.#bucket.wait(kept));
        return;
      }
      this.#passedOver = lane === 'person' && this.#waiting.background.length > 0 ? this.#passedOver + 1 : 0;
      this.#waiting[lane].shift()?.();
    }
  }

  /** The next lane, and the number of tokens that it has to leave. */
  #turn(): { readonly lane: Lane; readonly kept: number } | undefined {
    const { person, background } = this.#waiting;
    if (background.length > 0 && this.#passedOver >= turnsToOneOfBackground - 1)
      return { lane: 'background', kept: 0 };
    if (person.length > 0) return { lane: 'person', kept: 0 };
    return background.length > 0 ? { lane: 'background', kept: this.#kept } : undefined;
  }
}
