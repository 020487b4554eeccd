/**
 * Who rests after a record was sent in vain, and how long (INVARIANTS.md B.3, B.4 table 9): failures that meet every
 * record rest the whole outbox; those that may be one record's own fault rest its terminal, so that the others get by.
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
/** What we believe of a Retry-After (B.3). */
const retryAfterLimits = { shortest: seconds(1), longest: hours(1) };

/** On the monotonic clock. */
interface Rest {
  readonly failures: number;
  /** How many of the last failures in a row were the service's word on the record itself. */
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

  /** Monotonic; some may have passed. */
  ends(): readonly number[] {
    return [this.#everyone, ...this.#terminals.values()].map(({ until }) => until);
  }

  /** How often in a row this terminal's record was refused, this time included. */
  refusals(terminal: string, problem: Problem): number {
    return isRefusal(problem) ? (this.#terminals.get(terminal)?.refusals ?? 0) + 1 : 0;
  }

  /** A record of this terminal is done with. True: no terminal rests any more. */
  settled(terminal: string): boolean {
    this.#everyone = atWork;
    this.#terminals.delete(terminal);
    return this.#terminals.size === 0;
  }

  /** Asking costs nothing where nothing is sent. */
  shortly(): void {
    this.#everyone = { ...this.#everyone, until: this.#clock.monotonic() + schedule.first };
  }

  /** Its first record waits for a word of the fleet's engine: those of others get by. */
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
      // Whoever says a clear no can say a clear yes to the next one; whoever stumbles is left alone for a while.
      if (!isRefusal(problem)) this.#everyone = { ...atWork, until: now + schedule.first };
    } else {
      this.#everyone = rest;
    }
    return { failures, wait };
  }

  /** But for a rest that the service asked for. */
  cutShort(): void {
    if (!this.#everyone.isAskedFor) this.#everyone = { ...this.#everyone, until: 0 };
    for (const [terminal, rest] of this.#terminals) this.#terminals.set(terminal, { ...rest, until: 0 });
  }

  #isOn(rest: Rest): boolean {
    return rest.until > this.#clock.monotonic();
  }
}

/**
 * A 4xx that is neither about the content, which is a dead letter at once, nor about the device (401, 403): the service
 * may lack what the record names, a user who was removed, or the call itself, while it is mended.
 */
const isRefusal = (problem: Problem): boolean =>
  isProblem(problem, 'cloud-not-found', 'cloud-feature-off') && problem.status !== 501;

/**
 * The service answered, and might answer otherwise to another record: a 4xx, a 5xx or nonsense, without asking us to
 * wait; or we have stumbled over it ourselves.
 */
const mayBeTheRecords = (problem: Problem): boolean =>
  isRefusal(problem) ||
  (isProblem(problem, 'cloud-busy', 'cloud-protocol', 'internal') &&
    problem.status !== 429 &&
    problem.retryAfter === undefined);

const retryAfter = ({ retryAfter: asked }: Problem): Duration | undefined =>
  asked && shortest(longest(asked, retryAfterLimits.shortest), retryAfterLimits.longest);
