/**
 * Brings history records to the service: at least once, in order per terminal, one in flight in all, for ever, across
 * restarts (contract section 3; reliability.md I2, D8, B.4 table 9). A record that the service will never take
 * becomes a dead letter and blocks nobody.
 */
import type { Chance } from '../../core/chance.ts';
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { hours, inSeconds, longest, milliseconds, minutes, seconds, shortest } from '../../core/duration.ts';
import { withGrace } from '../../core/grace.ts';
import type { Log } from '../../core/log.ts';
import type { Wake } from '../../core/periodic.ts';
import { restOrWake } from '../../core/periodic.ts';
import type { RetrySchedule } from '../../core/retry-schedule.ts';
import { waitBefore } from '../../core/retry-schedule.ts';
import type { Service } from '../../core/service.ts';
import type { Conditions } from '../../domain/condition.ts';
import type { HistoryPoster, HistoryRecords } from '../../domain/ports/service.ts';
import type { Problem } from '../../domain/problem/problem.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import { logFailure, serviceFailure } from '../../domain/problem/service-failure.ts';
import type { ServiceTime } from '../../domain/service-time.ts';
import type { ArrivalParts } from './arrivals.ts';
import { createArrivals } from './arrivals.ts';
import type { Outbox, OutboxRow } from './outbox.ts';
import { withKnownTime } from './record-time.ts';

const schedule: RetrySchedule = { first: seconds(5), factor: 2, longest: minutes(15) };
/** A refusal that a record draws so often in a row, over some ten minutes, will not change. */
const mostRefusals = 8;
/** What we believe of a Retry-After (B.3). */
const retryAfterLimits = { shortest: seconds(1), longest: hours(1) };
/** The queue is looked at so often even without news; so much of a hold at most a reboot takes back. */
const idleLook = minutes(1);
/** Far more than a pass over the queue takes; only one that hangs takes longer. */
const longestPass = minutes(10);

/**
 * A log that was cut to nothing has to grow anew, which makes each commit several times as slow: in a batch, where the
 * next record is a moment away, nothing is tidied before so long a quiet. What is busy all day is tidied every minute.
 */
const quietBeforeTidying = seconds(2);
const longestUntidy = minutes(1);

/** A record on its way when the agent stops: cut off, it would go again at the next start, and be charged twice. */
const partingGrace = seconds(5);

/** D8: from here on the administrator is told that the outbox fills. */
const warnedAtPercent = 80;

/** Rests after failures, on the monotonic clock. */
interface Line {
  readonly failures: number;
  /** How many of the last failures in a row were the service's word on the record itself. */
  readonly refusals: number;
  readonly restsUntil: number;
  /** The service named the time itself. */
  readonly isAskedFor: boolean;
}

const atWork: Line = { failures: 0, refusals: 0, restsUntil: 0, isAskedFor: false };

export interface Courier extends Service {
  /** The service is back: what rests because of failures goes now, not after up to a quarter of an hour (I7). */
  retryNow(): void;
}

export interface CourierOptions {
  readonly outbox: Outbox;
  readonly poster: HistoryPoster;
  /** Absent: a record whose answer was lost is simply posted again. */
  readonly records?: HistoryRecords | undefined;
  readonly portIdOf: ArrivalParts['portIdOf'];
  readonly serviceTime: ServiceTime;
  readonly conditions: Conditions;
  /** A portion of the ledger's compaction, done when there has been nothing to post for a while. */
  readonly compact?: () => void;
  /** Rung when there may be a new row. */
  readonly wake: Wake;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
}

export function createCourier(options: CourierOptions): Courier {
  const { outbox, poster, conditions, clock, chance, log } = options;
  /** Failures that meet every record rest this one … */
  let everyone: Line = atWork;
  /** … and those that may be one record's own fault rest its terminal, so that the others get by. */
  const terminals = new Map<string, Line>();
  let tidyFrom = clock.monotonic();
  /** A minute after the first record since it was tidied. */
  let tidyAtLast: number | undefined;
  /** Rows the service has, which a full disk does not let us delete: they must not go a second time. */
  const taken = new Set<number>();
  const arrivals = createArrivals({
    records: options.records,
    portIdOf: options.portIdOf,
    newestAtStart: outbox.newest(),
    ...{ clock, log },
  });

  const isResting = (line: Line): boolean => line.restsUntil > clock.monotonic();
  const restingTerminals = (): string[] =>
    [...terminals].filter(([, line]) => isResting(line)).map(([terminal]) => terminal);

  async function deliver(found: OutboxRow, signal: AbortSignal): Promise<void> {
    let row = found;
    try {
      // What may have arrived goes again as it was: changed, it would not be found there.
      if (!arrivals.isDoubted(found)) row = withKnownTime(found, options);
      const isThere = taken.has(row.id) || (await arrivals.hasArrived(row, signal));
      const refusal = isThere ? undefined : await post(row, signal);
      if (signal.aborted && refusal) return;
      settle(row, refusal);
      everyone = atWork;
      terminals.delete(row.terminal);
      if (terminals.size === 0) conditions.clear('agent', 'history');
    } catch (error) {
      if (!isProblem(error) || error.code === 'store-failed') throw error;
      postpone(row, error);
    }
  }

  /** The service's refusal, or `undefined` when it took the record. */
  async function post(row: OutboxRow, signal: AbortSignal): Promise<Problem | undefined> {
    using graced = withGrace(signal, partingGrace, clock);
    try {
      await poster.post(row.record, { signal: graced.signal });
      return undefined;
    } catch (error) {
      const problem = serviceFailure(error, 'posting a history record failed');
      if (problem.code === 'internal')
        logFailure(log, 'history not posted', problem, { terminal: row.terminal });
      if (problem.delivery === 'perhaps') arrivals.doubt(row);
      return problem;
    }
  }

  const refusals = ({ terminal }: OutboxRow, problem: Problem): number =>
    isRefusal(problem) ? (terminals.get(terminal)?.refusals ?? 0) + 1 : 0;

  /** Throws what keeps the record waiting. */
  function settle(row: OutboxRow, refusal: Problem | undefined): void {
    const { id, releaseId, terminal } = row;
    if (!refusal) {
      taken.add(id);
      outbox.accepted(id);
      taken.delete(id);
      arrivals.accepted(row);
      log.info('history accepted', { releaseId, terminal });
    } else if (refusal.code === 'cloud-rejected' || refusals(row, refusal) >= mostRefusals) {
      outbox.bury(id, `${refusal.code}: ${refusal.message}`);
      arrivals.forget(row);
      log.warn('history rejected', { releaseId, terminal, error: refusal });
    } else {
      if (refusal.code !== 'terminal-not-authorized') outbox.countFailure(id);
      throw refusal;
    }
  }

  function postpone(row: OutboxRow, problem: Problem): void {
    const { releaseId, terminal } = row;
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
    const isAskedFor = problem.retryAfter !== undefined;
    const rested = { failures, refusals: refusals(row, problem), restsUntil: now + wait, isAskedFor };
    if (theRecords) {
      terminals.set(terminal, rested);
      // Whoever says a clear no can say a clear yes to the next one; whoever stumbles is left alone for a while.
      if (!isRefusal(problem)) everyone = { ...atWork, restsUntil: now + schedule.first };
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

  function putOffTidying(): void {
    const now = clock.monotonic();
    tidyAtLast ??= now + longestUntidy;
    tidyFrom = Math.min(now + quietBeforeTidying, tidyAtLast);
  }

  function tidyIfDue(): void {
    if (clock.monotonic() < tidyFrom) return;
    tidyAtLast = undefined;
    whereThereIsRoom(() => {
      options.compact?.();
      outbox.noteTime();
      outbox.scrub();
    });
  }

  function whereThereIsRoom(tidy: () => void): void {
    try {
      tidy();
    } catch (error) {
      if (!isProblem(error, 'store-refused')) throw error;
      log.debug('outbox not tidied', { error });
    }
  }

  function tellFullness(): void {
    const percent = Math.floor(outbox.fullness() * 100);
    if (percent < warnedAtPercent) return conditions.clear('agent', 'outbox');
    conditions.raise({
      code: 'outbox-filling',
      severity: percent < 100 ? 'warning' : 'error',
      scope: 'agent',
      subject: 'outbox',
      detail:
        percent < 100
          ? 'the outbox of history records is more than 80 % full; full, no print is made'
          : 'the outbox of history records is full, and no print is made until the service takes some',
    });
  }

  /** Monotonic: the next moment at which something may be done that cannot be done yet. */
  function nextMoment(): number {
    const now = clock.monotonic();
    const rests = [everyone, ...terminals.values()].map((line) => line.restsUntil);
    const heldFor = outbox.heldFor();
    const holds = heldFor === undefined ? [] : [now + heldFor];
    return Math.min(now + idleLook, ...[...rests, ...holds, tidyFrom].filter((moment) => moment > now));
  }

  return {
    name: 'history courier',
    retryNow() {
      if (!everyone.isAskedFor) everyone = { ...everyone, restsUntil: 0 };
      for (const [terminal, line] of terminals) terminals.set(terminal, { ...line, restsUntil: 0 });
      options.wake.ring();
    },
    async run(signal, progress) {
      while (!signal.aborted) {
        // A pass is at most one record's calls, which have deadlines, or a wait of idleLook.
        progress?.(longestPass);
        // Settled before the look: what comes due during it, or while the log is scrubbed, is not slept through.
        const lookAgain = nextMoment();
        const row = isResting(everyone) ? undefined : outbox.next(restingTerminals());
        if (row) {
          await deliver(row, signal);
          putOffTidying();
        } else {
          tidyIfDue();
          tellFullness();
          await restOrWake(milliseconds(Math.max(0, lookAgain - clock.monotonic())), options, signal);
        }
      }
      whereThereIsRoom(() => outbox.noteTime());
    },
  };
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
