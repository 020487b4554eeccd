/**
 * Decides how long posting rests after a failure (INVARIANTS.md B.3, B.4 table 9). A failure that would meet every
 * record rests the whole outbox. A failure that may come from one record rests only its terminal, so that other
 * terminals go on.
 */
import type { Chance } from '../../core/chance.ts';
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { hours, longest, minutes, seconds, shortest } from '../../core/duration.ts';
import type { RetrySchedule } from '../../core/retry-schedule.ts';
import { waitBefore } from '../../core/retry-schedule.ts';
import type { Problem } from '../../domain/problem/problem.ts';
import { isProblem } from '../../domain/problem/problem.ts';

const schedule: RetrySchedule = { first: seconds(5), factor: 2, longest: minutes(15) };
/** The limits within which a Retry-After is believed (B.3). */
const retryAfterLimits = { shortest: seconds(1), longest: hours(1) };

/** `until` is monotonic time. */
interface Rest {
  readonly failures: number;
  /** How many of the last failures in a row were a refusal of the record itself. */
  readonly refusals: number;
  readonly until: number;
  /** The service named the time itself. */
  readonly isAskedFor: boolean;
}

const atWork: Rest = { failures: 0, refusals: 0, until: 0, isAskedFor: false };

export class Rests {
  readonly #clock: Clock;
  readonly #chance: Chance;
  #everyone: Rest = atWork;
  readonly #terminals = new Map<string, Rest>();

  constructor({ clock, chance }: { readonly clock: Clock; readonly chance: Chance }) {
    this.#clock = clock;
    this.#chance = chance;
  }

  everyoneRests(): boolean {
    return this.#isOn(this.#everyone);
  }

  restingTerminals(): string[] {
    return [...this.#terminals].filter(([, rest]) => this.#isOn(rest)).map(([terminal]) => terminal);
  }

  /** In monotonic time; some may have passed. */
  ends(): readonly number[] {
    return [this.#everyone, ...this.#terminals.values()].map(({ until }) => until);
  }

  /** How often in a row a record of this terminal was refused, including this time. */
  refusals(terminal: string, problem: Problem): number {
    return isRefusal(problem) ? (this.#terminals.get(terminal)?.refusals ?? 0) + 1 : 0;
  }

  /** A record of this terminal is settled. True if no terminal rests any more. */
  settled(terminal: string): boolean {
    this.#everyone = atWork;
    this.#terminals.delete(terminal);
    return this.#terminals.size === 0;
  }

  /** Only a question to our own state is repeated here, and nothing is sent, so the rest is short. */
  shortly(): void {
    this.#everyone = { ...this.#everyone, until: this.#clock.monotonic() + schedule.first };
  }

  /** The first record of this terminal waits for an answer of the fleet's engine; records of other terminals go on. */
  awaitsEngine(terminal: string): void {
    const before = this.#terminals.get(terminal) ?? atWork;
    this.#terminals.set(terminal, { ...before, until: this.#clock.monotonic() + schedule.first });
  }

  after(terminal: string, problem: Problem): { readonly failures: number; readonly wait: Duration } {
    const now = this.#clock.monotonic();
    const theRecords = mayBeTheRecords(problem);
    const before = theRecords ? this.#terminals.get(terminal) : this.#everyone;
    const failures = (before?.failures ?? 0) + 1;
    const wait = retryAfter(problem) ?? this.#chance.jitter(waitBefore(failures, schedule));
    const isAskedFor = problem.retryAfter !== undefined;
    const rest = { failures, refusals: this.refusals(terminal, problem), until: now + wait, isAskedFor };
    if (theRecords) {
      this.#terminals.set(terminal, rest);
      // A service that clearly refuses one record can accept the next. After an unclear failure it is left alone for a
      // short time.
      if (!isRefusal(problem)) this.#everyone = { ...atWork, until: now + schedule.first };
    } else {
      this.#everyone = rest;
    }
    return { failures, wait };
  }

  /** Does not shorten a rest of the whole outbox that the service asked for. */
  cutShort(): void {
    if (!this.#everyone.isAskedFor) this.#everyone = { ...this.#everyone, until: 0 };
    for (const [terminal, rest] of this.#terminals) this.#terminals.set(terminal, { ...rest, until: 0 });
  }

  #isOn(rest: Rest): boolean {
    return rest.until > this.#clock.monotonic();
  }
}

/**
 * A 4xx that is not about the content (a dead letter at once) and not about the device (401, 403). The service may lack
 * something that the record names, such as a removed user, or the call itself while it is repaired.
 */
const isRefusal = (problem: Problem): boolean =>
  isProblem(problem, 'cloud-not-found', 'cloud-feature-off') && problem.status !== 501;

/**
 * The service answered and might answer another record differently: a 4xx, a 5xx or nonsense, without a request to
 * wait. Or our own code failed on the record.
 */
const mayBeTheRecords = (problem: Problem): boolean =>
  isRefusal(problem) ||
  (isProblem(problem, 'cloud-busy', 'cloud-protocol', 'internal') &&
    problem.status !== 429 &&
    problem.retryAfter === undefined);

const retryAfter = ({ retryAfter: asked }: Problem): Duration | undefined =>
  asked && shortest(longest(asked, retryAfterLimits.shortest), retryAfterLimits.longest);
