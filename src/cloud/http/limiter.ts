/**
 * Our own limit towards one server (src/cloud/README.md 12, row 33): when a call may go. A call that a person waits for
 * goes before calls that can wait, such as the history. Those of one person take turns with those of others. A 429 stops
 * all of them for a moment, and lowers the limit to what the service bears.
 */
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { milliseconds, seconds, shortest } from '../../core/duration.ts';
import type { Rate } from '../../core/token-bucket.ts';
import { TokenBucket } from '../../core/token-bucket.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import { BorneRate } from './borne-rate.ts';

/** Whether a person waits for the call, or not, or whether it only tests that the server is up. */
export type Urgency = 'person' | 'background' | 'probe';

export interface Wish {
  readonly urgency: Urgency;
  /** Calls with the same party take turns with those of others. Absent: the call is a party of its own. */
  readonly party?: object | undefined;
  /** The service has refused it with 429 before, so it goes first. */
  readonly isAgain?: boolean;
}

/** A call that may go now. */
export interface Turn {
  /** Monotonic milliseconds. */
  readonly at: number;
  /** It did not have to wait for its token: it is one of the calls that go at the same time. */
  readonly isInBurst: boolean;
}

export interface Limiter {
  /** Calls of the same urgency and party go in the order in which they came. Rejects with the signal's reason. */
  turn(wish: Wish, options: CallOptions): Promise<Turn>;
  /** The service answered the call of this turn with 429, and wants no calls for so long. */
  refused(turn: Turn, rest: Duration): void;
  /** For how long the service still wants no calls that can wait. */
  restLeft(): Duration;
  /** Calls per second, at the moment. */
  rate(): number;
}

/** Of so many turns the background has at least one when it waits, so that many badges do not keep it out for ever. */
export const turnsToOneOfBackground = 10;

/**
 * After a 429 a person's call waits for no longer than this, whatever Retry-After says. A terminal that asks a moment
 * too early is better than a terminal that stands still for an hour.
 */
export const longestRestOfPerson = seconds(2);

export const createLimiter = (options: { limits: Rate; clock: Clock }): Limiter =>
  new WaitingLine(options.limits, options.clock);

type LaneName = 'person' | 'background';

interface Lane {
  readonly waiting: Waiting;
  /** Monotonic milliseconds; before that no call of this lane goes. */
  restsUntil: number;
}

class WaitingLine implements Limiter {
  readonly #clock: Clock;
  readonly #borne: BorneRate;
  readonly #bucket: TokenBucket;
  readonly #lanes: Readonly<Record<LaneName, Lane>> = {
    person: { waiting: new Waiting(), restsUntil: Number.NEGATIVE_INFINITY },
    background: { waiting: new Waiting(), restsUntil: Number.NEGATIVE_INFINITY },
  };
  /** Turns for which the background has had to wait. */
  #passedOver = 0;
  #timer: unknown;
  #loweredAt = Number.NEGATIVE_INFINITY;
  /** Moments of the turns of the last second. */
  readonly #recent: number[] = [];

  constructor(limits: Rate, clock: Clock) {
    this.#clock = clock;
    this.#borne = new BorneRate(limits, clock);
    this.#bucket = new TokenBucket(this.#borne, clock);
  }

  turn({ urgency, party = {}, isAgain = false }: Wish, { signal }: CallOptions): Promise<Turn> {
    const { waiting } = this.#lanes[urgency === 'background' ? 'background' : 'person'];
    const { promise, resolve, reject } = Promise.withResolvers<Turn>();
    const go: Go = (turn) => {
      signal.removeEventListener('abort', leave);
      resolve(turn);
    };
    const leave = () => {
      waiting.remove(go);
      reject(signal.reason);
      this.#serve(false);
    };
    signal.addEventListener('abort', leave, { once: true });
    waiting.add(go, { party, isAgain });
    if (signal.aborted) leave();
    else this.#serve(true);
    return promise;
  }

  refused(turn: Turn, rest: Duration): void {
    const now = this.#clock.monotonic();
    const { person, background } = this.#lanes;
    person.restsUntil = Math.max(person.restsUntil, now + shortest(rest, longestRestOfPerson));
    background.restsUntil = Math.max(background.restsUntil, now + rest);
    // Of the calls that went out together, the service refuses many at once: that is one lesson.
    if (turn.at > this.#loweredAt) {
      this.#forgetOlderThan(now - 1000);
      const used = this.#recent.length;
      const isOfBurst = turn.isInBurst && used > this.rate();
      this.#borne.lower(isOfBurst ? 'burst' : 'requestsPerSecond', used);
      this.#bucket.empty();
      this.#loweredAt = now;
    }
    this.#serve(false);
  }

  restLeft(): Duration {
    return milliseconds(Math.max(0, this.#lanes.background.restsUntil - this.#clock.monotonic()));
  }

  rate(): number {
    return this.#borne.requestsPerSecond;
  }

  /** `isInBurst`: the calls that go now have not waited for a token. */
  #serve(isInBurst: boolean): void {
    this.#clock.clearTimeout(this.#timer);
    const now = this.#clock.monotonic();
    for (let next = this.#next(now); next; next = this.#next(now)) {
      const kept = this.#kept(next);
      if (!this.#bucket.take(kept)) {
        this.#serveAfter(this.#bucket.wait(kept));
        return;
      }
      const hasToWait = next === 'person' && this.#lanes.background.waiting.size > 0;
      this.#passedOver = hasToWait ? this.#passedOver + 1 : 0;
      this.#forgetOlderThan(now - 1000);
      this.#recent.push(now);
      this.#lanes[next].waiting.take()?.({ at: now, isInBurst });
    }
    const rests = Object.values(this.#lanes).flatMap(({ waiting, restsUntil }) =>
      waiting.size > 0 ? [restsUntil - now] : [],
    );
    if (rests.length > 0) this.#serveAfter(milliseconds(Math.min(...rests)));
  }

  #serveAfter(wait: Duration): void {
    this.#timer = this.#clock.setTimeout(() => this.#serve(false), wait);
  }

  #next(now: number): LaneName | undefined {
    const mayGo = (name: LaneName) => {
      const { waiting, restsUntil } = this.#lanes[name];
      return waiting.size > 0 && restsUntil <= now;
    };
    if (mayGo('background') && this.#isBackgroundsTurn()) return 'background';
    if (mayGo('person')) return 'person';
    return mayGo('background') ? 'background' : undefined;
  }

  readonly #isBackgroundsTurn = (): boolean => this.#passedOver >= turnsToOneOfBackground - 1;

  /**
   * The background leaves a tenth of the burst, so that a person does not wait for the next token: no more than comes in
   * a second, for it has to save them up first.
   */
  #kept(name: LaneName): number {
    if (name === 'person' || this.#isBackgroundsTurn()) return 0;
    return Math.floor(Math.min(this.#borne.burst / 10, this.rate()));
  }

  #forgetOlderThan(moment: number): void {
    while ((this.#recent[0] ?? moment) < moment) this.#recent.shift();
  }
}

type Go = (turn: Turn) => void;

/** Calls that wait. Their parties take turns, so that one with many calls keeps no other waiting. */
class Waiting {
  /** In the order of their turns. */
  readonly #parties = new Map<object, Go[]>();
  #again: Go[] = [];
  size = 0;

  add(go: Go, { party, isAgain }: { readonly party: object; readonly isAgain: boolean }): void {
    this.size += 1;
    if (isAgain) this.#again.push(go);
    else this.#parties.set(party, [...(this.#parties.get(party) ?? []), go]);
  }

  take(): Go | undefined {
    const go = this.#again.shift() ?? this.#firstOfParties();
    if (go) this.size -= 1;
    return go;
  }

  #firstOfParties(): Go | undefined {
    const [turn] = this.#parties;
    if (turn === undefined) return undefined;
    const [party, [first, ...others]] = turn;
    this.#parties.delete(party);
    // Behind all others.
    if (others.length > 0) this.#parties.set(party, others);
    return first;
  }

  remove(go: Go): void {
    const without = (calls: readonly Go[]) => {
      const others = calls.filter((one) => one !== go);
      this.size -= calls.length - others.length;
      return others;
    };
    this.#again = without(this.#again);
    for (const [party, calls] of this.#parties) {
      const others = without(calls);
      if (others.length > 0) this.#parties.set(party, others);
      else this.#parties.delete(party);
    }
  }
}
