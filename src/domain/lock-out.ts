/**
 * Decides who may not try to log in for the moment, so that guessing fails (INVARIANTS.md T09). There is one for the
 * whole agent, because a guesser walks from terminal to terminal. It is pure, with monotonic time as an argument, and
 * in memory. Of an identity only a keyed hash is kept. A badge without a PIN is no secret, and an unknown badge may
 * become known a second later (src/cloud/README.md 6). So its refusals count for the terminal only.
 */
import { createHmac } from 'node:crypto';
import type { Duration } from '../core/duration.ts';
import { hours, milliseconds, minutes, seconds } from '../core/duration.ts';
import type { LoginWay } from './login.ts';
import { wayOf } from './login.ts';
import type { Credentials } from './user.ts';

interface Limit {
  /** So many refusals within the window bring the pause. */
  readonly refusals: number;
  readonly window: Duration;
  /** Not shorter than the window. It doubles each time, up to the longest. */
  readonly pause: Duration;
  readonly longestPause: Duration;
}

export const lockOutLimits = {
  identity: { refusals: 5, window: minutes(10), pause: minutes(10), longestPause: hours(1) },
  terminal: { refusals: 20, window: seconds(60), pause: seconds(60), longestPause: seconds(60) },
} as const satisfies Record<string, Limit>;

/** An identity starts anew if it has no further refusal for this time after the last one, or after its pause. */
const memory = hours(1);
/** One terminal needs most of a day to make so many. */
const mostIdentities = 10_000;
const mostSpans = 5;

export type LockedBy = keyof typeof lockOutLimits;

export interface Attempt {
  readonly terminal: string;
  readonly credentials: Credentials;
}

/**
 * `unknown`: the service has not judged, and this counts for no side. `given-up`: the person did not wait for the
 * answer. That counts as refused, because a guesser may see from a delay alone that the login failed.
 */
export type Verdict = 'accepted' | 'refused' | 'given-up' | 'unknown';

export type Trial =
  /** End it once, with the service's answer. Until then it counts as a refusal. */
  | { readonly lockedBy?: undefined; end(verdict: Verdict, now: number): void }
  | {
      readonly lockedBy: LockedBy;
      /** The present duration of a refusal. A locked-out person must not get the answer sooner. */
      readonly refusalTakes: Duration;
    };

export interface LockOut {
  begin(attempt: Attempt, now: number): Trial;
  /** How long refusals of this way took lately; nothing if there were none. */
  refusalTakes(way: LoginWay): Duration;
  /** The rest of the terminal's pause. */
  terminalPause(terminal: string, now: number): Duration | undefined;
  /** How many identities are remembered. */
  size(): number;
}

/** `key`: 32 secret random octets. */
export const createLockOut = ({ key }: { readonly key: Buffer }): LockOut => new Trials(key);

interface Concerned {
  readonly by: LockedBy;
  readonly name: string;
  readonly count: Count;
}

class Trials implements LockOut {
  readonly #key: Buffer;
  /** The least recently refused identity first. */
  readonly #counts: Readonly<Record<LockedBy, Map<string, Count>>> = {
    identity: new Map(),
    terminal: new Map(),
  };
  readonly #spans = new Map<LoginWay, readonly Duration[]>();

  constructor(key: Buffer) {
    this.#key = key;
  }

  begin(attempt: Attempt, since: number): Trial {
    const way = wayOf(attempt.credentials);
    const concerned = this.#concerned(attempt, since);
    const locked = concerned.find(({ by, count }) => isLocked(count, lockOutLimits[by], since));
    if (locked) return { lockedBy: locked.by, refusalTakes: this.refusalTakes(way) };

    for (const one of concerned) {
      one.count.pending += 1;
      this.#keep(one);
    }
    return {
      end: (verdict, now) => {
        if (verdict === 'refused') this.#noteSpan(way, milliseconds(now - since));
        for (const one of concerned) this.#judge(one, verdict, now);
      },
    };
  }

  refusalTakes(way: LoginWay): Duration {
    return middleOf(this.#spans.get(way) ?? [...this.#spans.values()].flat()) ?? milliseconds(0);
  }

  terminalPause(terminal: string, now: number): Duration | undefined {
    const left = (this.#counts.terminal.get(terminal)?.lockedUntil ?? now) - now;
    return left > 0 ? milliseconds(left) : undefined;
  }

  size(): number {
    return this.#counts.identity.size;
  }

  #concerned({ terminal, credentials }: Attempt, now: number): readonly Concerned[] {
    const identity = identityOf(credentials, this.#key);
    const names: readonly (readonly [LockedBy, string])[] = [
      ...(identity === undefined ? [] : [['identity', identity] as const]),
      ['terminal', terminal],
    ];
    return names.map(([by, name]) => ({ by, name, count: this.#countOf(by, name, now) }));
  }

  #judge(concerned: Concerned, verdict: Verdict, now: number): void {
    const { by, count } = concerned;
    count.pending -= 1;
    if (verdict === 'refused' || verdict === 'given-up') noteRefusal(count, lockOutLimits[by], now);
    if (verdict === 'accepted' && by === 'identity') forgive(count);
    this.#keep(concerned);
  }

  #countOf(by: LockedBy, name: string, now: number): Count {
    const known = this.#counts[by].get(name);
    return known && !isForgotten(known, now) ? known : newCount();
  }

  #keep({ by, name, count }: Concerned): void {
    const all = this.#counts[by];
    all.delete(name);
    if (!isEmpty(count)) all.set(name, count);
    const [oldest] = all.keys();
    if (all.size > mostIdentities && oldest !== undefined) all.delete(oldest);
  }

  #noteSpan(way: LoginWay, span: Duration): void {
    this.#spans.set(way, [...(this.#spans.get(way) ?? []), span].slice(-mostSpans));
  }
}

interface Count {
  /** When, oldest first. These count for the next pause. */
  refusals: readonly number[];
  /** Tries that are under way, without a result yet. */
  pending: number;
  lockedUntil: number;
  /** The number of pauses so far. */
  pauses: number;
  lastRefusal: number;
}

const newCount = (): Count => ({
  refusals: [],
  pending: 0,
  pauses: 0,
  lockedUntil: Number.NEGATIVE_INFINITY,
  lastRefusal: Number.NEGATIVE_INFINITY,
});

const isEmpty = ({ pending, lastRefusal }: Count): boolean =>
  pending === 0 && lastRefusal === Number.NEGATIVE_INFINITY;

const isForgotten = ({ pending, lockedUntil, lastRefusal }: Count, now: number): boolean =>
  pending === 0 && Math.max(lockedUntil, lastRefusal) + memory <= now;

const recent = ({ refusals }: Count, { window }: Limit, now: number): readonly number[] =>
  refusals.filter((at) => at > now - window);

const isLocked = (count: Count, limit: Limit, now: number): boolean =>
  now < count.lockedUntil || recent(count, limit, now).length + count.pending >= limit.refusals;

function noteRefusal(count: Count, limit: Limit, now: number): void {
  count.lastRefusal = now;
  count.refusals = [...recent(count, limit, now), now];
  if (count.refusals.length < limit.refusals) return;
  count.refusals = [];
  count.lockedUntil = now + Math.min(limit.pause * 2 ** count.pauses, limit.longestPause);
  count.pauses += 1;
}

function forgive(count: Count): void {
  const { pending } = count;
  Object.assign(count, newCount(), { pending });
}

/**
 * Characters that directories and their databases ignore: accents, invisible characters, blanks (RFC 4518 section 2.2,
 * and the characters that Unicode lets a program leave out). The vowel signs of other scripts make another name, so
 * they stay.
 */
const notCompared =
  /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u1806\ufffc\s]/gu;

/** The identity of the credentials. Spellings that the service may treat as the same count as the same (T27). */
function identityOf(credentials: Credentials, key: Buffer): string | undefined {
  const claimed = claimOf(credentials);
  if (claimed === undefined) return undefined;
  const text = claimed.normalize('NFKD').replace(notCompared, '').toUpperCase();
  return createHmac('sha256', key).update(`${credentials.kind} ${text}`).digest('base64');
}

function claimOf(credentials: Credentials): string | undefined {
  switch (credentials.kind) {
    case 'card':
      return credentials.password && credentials.card.reveal();
    case 'short-id':
      return credentials.shortId.reveal();
    case 'email':
      return credentials.email;
    default:
      return credentials.userName;
  }
}

const middleOf = (spans: readonly Duration[]): Duration | undefined =>
  spans.toSorted((one, other) => one - other)[Math.floor(spans.length / 2)];
