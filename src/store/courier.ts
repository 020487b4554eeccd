/**
 * Brings history records to the service: at least once, in order per terminal, one in flight in all, for ever, across
 * restarts (contract section 3; reliability.md I2, D8, B.4 table 9). A record that the service will never take
 * becomes a dead letter and blocks nobody.
 */
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { hours, inSeconds, longest, milliseconds, minutes, seconds, shortest } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import type { Wake } from '../core/periodic.ts';
import { restOrWake } from '../core/periodic.ts';
import type { RetrySchedule } from '../core/retry-schedule.ts';
import { waitBefore } from '../core/retry-schedule.ts';
import type { Service } from '../core/service.ts';
import type { Conditions } from '../domain/condition.ts';
import type { HistoryPoster } from '../domain/ports/service.ts';
import type { Problem } from '../domain/problem.ts';
import { asProblem, isProblem } from '../domain/problem.ts';
import type { Outbox, OutboxRow } from './outbox.ts';

const schedule: RetrySchedule = { first: seconds(5), factor: 2, longest: minutes(15) };
/** What we believe of a Retry-After (B.3). */
const retryAfterLimits = { shortest: seconds(1), longest: hours(1) };
/** The queue is looked at so often even without news: held rows wait by the wall clock, and that can be set. */
const idleLook = minutes(1);

/** Rests after failures, on the monotonic clock. */
interface Line {
  failures: number;
  restsUntil: number;
}

export interface CourierOptions {
  readonly outbox: Outbox;
  readonly poster: HistoryPoster;
  readonly conditions: Conditions;
  /** Rung when there may be a new row. */
  readonly wake: Wake;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
}

export function createCourier(options: CourierOptions): Service {
  const { outbox, poster, conditions, clock, chance, log } = options;
  /** Failures that meet every record rest this one … */
  let everyone: Line = { failures: 0, restsUntil: 0 };
  /** … and those that may be one record's own fault rest its terminal, so that the others get by. */
  const terminals = new Map<string, Line>();
  /** Rows the service has, which a full disk does not let us delete: they must not go a second time. */
  const taken = new Set<number>();

  const isResting = (line: Line): boolean => line.restsUntil > clock.monotonic();
  const restingTerminals = (): string[] =>
    [...terminals].filter(([, line]) => isResting(line)).map(([terminal]) => terminal);

  async function deliver(row: OutboxRow, signal: AbortSignal): Promise<void> {
    try {
      const refusal = taken.has(row.id) ? undefined : await post(row, signal);
      if (signal.aborted && refusal) return;
      settle(row, refusal);
      everyone = { failures: 0, restsUntil: 0 };
      terminals.delete(row.terminal);
      if (terminals.size === 0) conditions.clear('agent', 'history');
    } catch (error) {
      if (!isProblem(error) || error.code === 'store-failed') throw error;
      postpone(row, error);
    }
  }

  /** The service's refusal, or `undefined` when it took the record. */
  async function post({ id, record }: OutboxRow, signal: AbortSignal): Promise<Problem | undefined> {
    try {
      await poster.post(record, { signal });
      taken.add(id);
      return undefined;
    } catch (error) {
      return asProblem(error, 'cloud-protocol', 'posting a history record failed');
    }
  }

  /** Throws what keeps the record waiting. */
  function settle({ id, releaseId, terminal }: OutboxRow, refusal: Problem | undefined): void {
    if (!refusal) {
      outbox.accepted(id);
      taken.delete(id);
      log.info('history accepted', { releaseId, terminal });
    } else if (refusal.code === 'cloud-rejected') {
      outbox.bury(id, `${refusal.code}: ${refusal.message}`);
      log.warn('history rejected', { releaseId, terminal, error: refusal });
    } else {
      if (refusal.code !== 'terminal-not-authorized') outbox.countFailure(id);
      throw refusal;
    }
  }

  function postpone({ releaseId, terminal }: OutboxRow, problem: Problem): void {
    const now = clock.monotonic();
    // Enrollment raises what is wrong here, and asking costs nothing: nothing is sent.
    if (problem.code === 'terminal-not-authorized') {
      everyone = { ...everyone, restsUntil: now + schedule.first };
      return;
    }
    const theRecords = mayBeTheRecords(problem);
    const line = theRecords ? terminals.get(terminal) : everyone;
    const failures = (line?.failures ?? 0) + 1;
    const wait = retryAfter(problem) ?? chance.jitter(waitBefore(failures, schedule));
    const rested = { failures, restsUntil: now + wait };
    if (theRecords) {
      terminals.set(terminal, rested);
      everyone = { failures: 0, restsUntil: now + schedule.first };
    } else {
      everyone = rested;
    }
    const facts = { releaseId, terminal, error: problem, failures, waitSeconds: inSeconds(wait) };
    if (failures === 1) log.warn('history postponed', facts);
    else log.debug('history postponed', facts);
    conditions.raise({
      code: problem.code,
      severity: problem.retry === 'later' ? 'warning' : 'error',
      scope: 'agent',
      subject: 'history',
      detail: `history records wait: ${problem.message}`,
    });
  }

  function scrub(): void {
    try {
      outbox.scrub();
    } catch (error) {
      if (!isProblem(error, 'store-refused')) throw error;
      log.debug('outbox not scrubbed', { error });
    }
  }

  function untilSomethingIsDue(): Duration {
    const now = clock.monotonic();
    const rests = [everyone, ...terminals.values()].filter(isResting).map((line) => line.restsUntil - now);
    const heldUntil = outbox.heldUntil();
    const holds = heldUntil === undefined ? [] : [heldUntil - clock.now()];
    return shortest(idleLook, ...[...rests, ...holds].map(milliseconds));
  }

  return {
    name: 'history courier',
    async run(signal) {
      while (!signal.aborted) {
        const row = isResting(everyone) ? undefined : outbox.next(restingTerminals());
        if (row) {
          await deliver(row, signal);
        } else {
          scrub();
          await restOrWake(untilSomethingIsDue(), options, signal);
        }
      }
    },
  };
}

/** The service answered, and might answer otherwise to another record: a 5xx or nonsense, without asking us to wait. */
const mayBeTheRecords = (problem: Problem): boolean =>
  isProblem(problem, 'cloud-busy', 'cloud-protocol') &&
  problem.status !== 429 &&
  problem.retryAfter === undefined;

const retryAfter = ({ retryAfter: asked }: Problem): Duration | undefined =>
  asked && shortest(longest(asked, retryAfterLimits.shortest), retryAfterLimits.longest);
