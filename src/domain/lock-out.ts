/**
 * Who may not try to log in for the moment, so that nobody gets in by guessing (INVARIANTS.md T09). One for the whole
 * agent, because a guesser walks from terminal to terminal; pure, with monotonic time as an argument, and in memory.
 * Kept of an identity is a keyed hash alone. A badge without a PIN is a name that is no secret, and one unknown now may
 * be known a second later (src/cloud/README.md 6): its refusals count for the terminal only.
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
  /** Not shorter than the window, and doubled each time until it is the longest. */
  readonly pause: Duration;
  readonly longestPause: Duration;
}

export const lockOutLimits = {
  identity: { refusals: 5, window: minutes(10), pause: minutes(10), longestPause: hours(1) },
  terminal: { refusals: 20, window: seconds(60), pause: seconds(60), longestPause: seconds(60) },
} as const satisfies Record<string, Limit>;

/** Without another refusal for so long after the last one, or after its pause, an identity is as new. */
const memory = hours(1);
/** One terminal needs most of a day to bring up so many. */
const mostIdentities = 10_000;
const mostSpans = 5;

export type LockedBy = keyof typeof lockOutLimits;

export interface Attempt {
  readonly terminal: string;
  readonly credentials: Credentials;
}

/**
 * `unknown`: the service has not judged, which is nobody's failure. `given-up`: whoever tried did not wait for its
 * judgment, and counts as refused, because a refusal may take longer than a guesser needs to see that he is not in.
 */
export type Verdict = 'accepted' | 'refused' | 'given-up' | 'unknown';

export type Trial =
  /** To be ended once, with what the service said; until then it counts as a refusal. */
  | { readonly lockedBy?: undefined; end(verdict: Verdict, now: number): void }
  | {
      readonly lockedBy: LockedBy;
      /** So long a refusal takes at the moment: who is locked out must not be told sooner. */
      readonly refusalTakes: Duration;
    };

export interface LockOut {
  begin(attempt: Attempt, now: number): Trial;
  /** How long refusals by this way took lately; nothing where there were none. */
  refusalTakes(way: LoginWay): Duration;
  /** What is left of the terminal's pause. */
  terminalPause(terminal: string, now: number): Duration | undefined;
  /** How many identities are remembered. */
  size(): number;
}

/** `key`: 32 random octets, known to nobody else. */
export const createLockOut = ({ key }: { readonly key: Buffer }): LockOut => new Trials(key);

interface Concerned {
  readonly by: LockedBy;
  readonly name: string;
  readonly count: Count;
}

class Trials implements LockOut {
  readonly #key: Buffer;
  /** The one that was refused least recently first. */
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

  /** Its own, or a new one. */
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
  /** When, oldest first; those that count for the next pause. */
  refusals: readonly number[];
  /** Tried at this moment: what comes of it is not known yet. */
  pending: number;
  lockedUntil: number;
  /** How many pauses there were. */
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
 * What directories and their databases leave out of account: accents, what is not seen, blanks (RFC 4518 section 2.2, and
 * what Unicode lets a program leave out). The vowel signs of other scripts make another name, so they stay.
 */
const notCompared =
  /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u1806\ufffc\s]/gu;

/** Who is claimed to be here; spellings that the service may take for the same are the same (T27). */
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
