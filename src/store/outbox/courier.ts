/**
 * Brings history records to the service: at least once, in order for each terminal, one at a time, without end and
 * across restarts (contract section 3; INVARIANTS.md I2, D8, B.4 table 9). A record that the service will never accept
 * becomes a dead letter and does not block others.
 */
import type { Clock } from '../../core/clock.ts';
import { inSeconds, milliseconds, minutes, seconds } from '../../core/duration.ts';
import type { Log } from '../../core/log.ts';
import type { Wake } from '../../core/periodic.ts';
import { restOrWake } from '../../core/periodic.ts';
import type { Progress, Service } from '../../core/service.ts';
import type { Settling, Turn } from '../../domain/settling.ts';
import { longestWindow, settled } from '../../domain/settling.ts';
import { cutAtMost } from '../../domain/history.ts';
import type { HistoryPoster, HistoryRecords } from '../../domain/ports/service.ts';
import type { RecordStanding, Wills } from '../../domain/ports/wills.ts';
import type { Problem } from '../../domain/problem/problem.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import { logFailure, serviceFailure } from '../../domain/problem/service-failure.ts';
import type { ServiceTime } from '../../domain/service-time.ts';
import type { Duration } from '../../core/duration.ts';
import { isoWithOffset, parseInstant } from '../../core/clock.ts';
import type { Env } from '../../domain/env.ts';
import { knownTime } from '../../domain/service-time.ts';
import type { ArrivalDeps, Arrivals } from './arrivals.ts';
import { createArrivals } from './arrivals.ts';
import type { Outbox, OutboxRow } from './outbox.ts';
import { Rests } from './rests.ts';

/** After this many refusals of a record in a row, over about ten minutes, the answer will not change. */
const mostRefusals = 8;
/** The queue is looked at this often even without news. A reboot takes back at most this much of a hold. */
const idleLook = minutes(1);
/** Far more than one pass over the queue takes; only a pass that hangs takes longer. */
const longestPass = minutes(10);

/**
 * An emptied log has to grow again, which makes each commit several times slower. So between the records of a batch
 * nothing is tidied until it has been quiet for this time. If it is busy all day, it is tidied every minute.
 */
const quietBeforeTidying = seconds(2);
const longestUntidy = minutes(1);
/**
 * After the service accepted a record, its key stays for this time, so that the keys of a batch are destroyed together.
 */
const forgottenAfter = milliseconds(250);

/**
 * The time for a record that is on its way when the agent stops. If it were cut off, it would go again at the next
 * start and be charged twice.
 */
const partingGrace = seconds(5);

/** D8: from this share on, the administrator is told that the outbox fills. */
const warnedAtPercent = 80;

export interface CourierDeps extends Env {
  readonly outbox: Outbox;
  readonly poster: HistoryPoster;
  /** If absent, a record whose answer was lost is simply posted again. */
  readonly records?: HistoryRecords | undefined;
  readonly portIdOf: ArrivalDeps['portIdOf'];
  /** If absent, no other member posts records of this gateway. */
  readonly wills?: Wills | undefined;
  readonly serviceTime: ServiceTime;
  /** Compacts a portion of the ledger; called when there has been nothing to post for a while. */
  readonly compact?: (serviceTime: number | undefined) => void;
  /** If absent, no other agent begins at the same time as this agent. */
  readonly settling?: Settling;
  /** Rung when there may be a new row. */
  readonly wake: Wake;
}

export class Courier implements Service {
  readonly name = 'history courier';
  readonly #deps: CourierDeps;
  readonly #rests: Rests;
  readonly #arrivals: Arrivals;
  readonly #turn: Turn;
  /** Rows that the service has and that cannot be deleted on a full disk: they must not be posted again. */
  readonly #taken = new Set<number>();
  #tidyFrom: number;
  /** One minute after the first record since the last tidying. */
  #tidyAtLast: number | undefined;
  #forgetAt: number | undefined;

  constructor(deps: CourierDeps) {
    const { outbox, records, portIdOf, settling = settled, clock, log } = deps;
    this.#deps = deps;
    this.#turn = settling.turn(longestWindow);
    this.#rests = new Rests(deps);
    this.#arrivals = createArrivals({ records, portIdOf, newestAtStart: outbox.newest(), clock, log });
    this.#tidyFrom = clock.monotonic();
  }

  /** The service is back: rests caused by failures end now, not after up to a quarter of an hour (I7). */
  retryNow(): void {
    this.#rests.cutShort();
    this.#deps.wake.ring();
  }

  async run(signal: AbortSignal, progress?: Progress): Promise<void> {
    const { outbox, clock } = this.#deps;
    while (!signal.aborted) {
      // One pass takes at most the calls for one record, which have deadlines, or a wait of `idleLook`.
      progress?.(longestPass);
      // Computed before the look, so that a moment that falls into the look or the scrubbing of the log is not missed.
      const lookAgain = this.#nextMoment();
      const row =
        this.#rests.everyoneRests() || this.#turn.left() > 0
          ? undefined
          : outbox.next(this.#rests.restingTerminals());
      if (row) {
        await this.#deliver(row, signal);
        this.#putOffTidying();
        await this.#forgetIfDue();
      } else {
        await this.#forgetIfDue();
        this.#tidyIfDue();
        this.#tellFullness();
        await restOrWake(milliseconds(Math.max(0, lookAgain - clock.monotonic())), this.#deps, signal);
      }
    }
    await outbox.forgetGone();
    this.#whereThereIsRoom(() => outbox.noteTime());
  }

  /** In monotonic time: the next moment at which more can be done than now. */
  #nextMoment(): number {
    const now = this.#deps.clock.monotonic();
    const heldFor = this.#deps.outbox.heldFor();
    const holds = heldFor === undefined ? [] : [now + heldFor];
    const forgetting = this.#forgetAt === undefined ? [] : [this.#forgetAt];
    const moments = [...this.#rests.ends(), ...holds, ...forgetting, this.#tidyFrom, now + this.#turn.left()];
    return Math.min(now + idleLook, ...moments.filter((moment) => moment > now));
  }

  async #deliver(found: OutboxRow, signal: AbortSignal): Promise<void> {
    let row: OutboxRow | undefined = found;
    try {
      if (!(await this.#isOurs(found, signal))) return;
      await this.#deps.outbox.durable();
      // Another release may have cut the record in the meantime. For a record without doubt nothing is awaited between
      // this line and its post.
      row = this.#deps.outbox.row(found.id);
      if (!row) return;
      // A record that may have arrived is sent again unchanged: a changed record could not be found at the service.
      const isDoubted = this.#arrivals.isDoubted(row);
      if (!isDoubted) row = withKnownTime(row, this.#deps);
      const isThere =
        this.#taken.has(row.id) || (isDoubted && (await this.#arrivals.hasArrived(row, signal)));
      const refusal = isThere ? undefined : await this.#post(row, signal);
      if (signal.aborted && refusal) return;
      this.#settle(row, refusal);
      if (this.#rests.settled(row.terminal)) this.#deps.conditions.clear('agent', 'history');
    } catch (error) {
      if (!isProblem(error) || error.code === 'store-failed') throw error;
      this.#postpone(found, error);
    }
  }

  /** In a fleet one member posts a record, and it claims that first (F6). */
  async #isOurs(row: OutboxRow, signal: AbortSignal): Promise<boolean> {
    const { wills, outbox, log } = this.#deps;
    const { id, releaseId, terminal, isClaimed, record } = row;
    if (!wills || !isClaimed || this.#taken.has(id)) return true;
    const asked = { signal, pages: record.totalPages };
    const standing = await wills.posting(releaseId, asked).catch((error: unknown): RecordStanding => {
      if (signal.aborted || isProblem(error, 'fleet-engine-away')) return 'not-yet';
      throw error;
    });
    if (standing === 'not-yet') this.#rests.awaitsEngine(terminal);
    if (standing === 'anothers') {
      outbox.leave(id);
      this.#arrivals.forget(row);
      log.info('history left', { releaseId, terminal });
    }
    if (typeof standing === 'string') return standing === 'ours';
    // A record that may have arrived is sent again unchanged.
    if (row.alikeBefore === undefined) outbox.correct(id, cutAtMost(record, standing.pages));
    return true;
  }

  /** The service's refusal, or `undefined` if it accepted the record. */
  async #post(row: OutboxRow, signal: AbortSignal): Promise<Problem | undefined> {
    const { outbox, poster, clock, log } = this.#deps;
    const wasDoubted = this.#arrivals.isDoubted(row);
    const alikeBefore = this.#arrivals.alikeBefore(row);
    if (row.alikeBefore === undefined && alikeBefore !== undefined) {
      // After this the record can no longer be cut.
      outbox.sending(row.id, alikeBefore);
      await outbox.durable();
    }
    using graced = withGrace(signal, partingGrace, clock);
    try {
      await poster.post(row.record, { signal: graced.signal });
      return undefined;
    } catch (error) {
      const problem = serviceFailure(error, 'posting a history record failed');
      if (problem.code === 'internal')
        logFailure(log, 'history not posted', problem, { terminal: row.terminal });
      if (!wasDoubted) this.#arrivals.posted(row, problem.delivery === 'perhaps' ? 'perhaps' : 'never');
      return problem;
    }
  }

  /** Throws the problem that keeps the record waiting. */
  #settle(row: OutboxRow, refusal: Problem | undefined): void {
    const { outbox, log } = this.#deps;
    const { id, releaseId, terminal } = row;
    if (!refusal) {
      this.#taken.add(id);
      outbox.accepted(id);
      this.#taken.delete(id);
      this.#arrivals.accepted(row);
      if (row.isClaimed) this.#deps.wills?.posted(releaseId);
      log.info('history accepted', { releaseId, terminal });
    } else if (refusal.code === 'cloud-rejected' || this.#rests.refusals(terminal, refusal) >= mostRefusals) {
      outbox.bury(id, `${refusal.code}: ${refusal.message}`);
      this.#arrivals.forget(row);
      log.warn('history rejected', { releaseId, terminal, error: refusal });
    } else {
      if (refusal.code !== 'terminal-not-authorized') outbox.countFailure(id, this.#arrivals.isAbsent(row));
      throw refusal;
    }
  }

  #postpone({ releaseId, terminal }: OutboxRow, problem: Problem): void {
    // Enrollment raises the condition for this problem.
    if (problem.code === 'terminal-not-authorized') return this.#rests.shortly();
    const { conditions, log } = this.#deps;
    const { failures, wait } = this.#rests.after(terminal, problem);
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

  #putOffTidying(): void {
    const now = this.#deps.clock.monotonic();
    this.#tidyAtLast ??= now + longestUntidy;
    this.#tidyFrom = Math.min(now + quietBeforeTidying, this.#tidyAtLast);
    this.#forgetAt ??= now + forgottenAfter;
  }

  async #forgetIfDue(): Promise<void> {
    if (this.#forgetAt === undefined || this.#deps.clock.monotonic() < this.#forgetAt) return;
    this.#forgetAt = undefined;
    await this.#deps.outbox.forgetGone();
  }

  #tidyIfDue(): void {
    const { outbox, compact, serviceTime, clock } = this.#deps;
    if (clock.monotonic() < this.#tidyFrom) return;
    this.#tidyAtLast = undefined;
    this.#whereThereIsRoom(() => {
      compact?.(serviceTime.at(clock.sinceBoot()));
      outbox.noteTime();
      outbox.scrub();
    });
  }

  #whereThereIsRoom(tidy: () => void): void {
    try {
      tidy();
    } catch (error) {
      if (!isProblem(error, 'store-refused')) throw error;
      this.#deps.log.debug('outbox not tidied', { error });
    }
  }

  #tellFullness(): void {
    const { outbox, conditions } = this.#deps;
    const percent = Math.floor(outbox.fullness() * 100);
    if (percent < warnedAtPercent) return conditions.clear('agent', 'outbox');
    conditions.raise({
      code: 'outbox-filling',
      severity: percent < 100 ? 'warning' : 'error',
      scope: 'agent',
      subject: 'outbox',
      detail:
        percent < 100
          ? 'the outbox of history records is more than 80 % full. When it is full, Platen prints nothing'
          : 'the outbox of history records is full. Platen prints nothing until the service accepts some records',
    });
  }
}

/**
 * A signal that aborts this long after the given signal, with its reason; after it is disposed, it never aborts. Work
 * that is under way when its caller stops may still succeed, and if it is cut off, its outcome stays unknown.
 */
function withGrace(
  signal: AbortSignal,
  grace: Duration,
  clock: Clock,
): { readonly signal: AbortSignal } & Disposable {
  const late = new AbortController();
  const unheard = new AbortController();
  const begin = () =>
    clock.deadline(grace).addEventListener('abort', () => {
      if (!unheard.signal.aborted) late.abort(signal.reason);
    });
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true, signal: unheard.signal });
  return { signal: late.signal, [Symbol.dispose]: () => unheard.abort() };
}

/**
 * Corrects the time of a history record that was made while the wall clock was wrong (INVARIANTS.md B.4 table 9). The
 * ledger knows the moment of the release in this boot, and the service knows the wall time of that moment. The
 * correction is stored, so that a second post looks like the first. Throws as any write does.
 */
function withKnownTime(
  row: OutboxRow,
  { outbox, serviceTime, log }: { outbox: Outbox; serviceTime: ServiceTime; log: Log },
): OutboxRow {
  const sinceBoot = outbox.plannedAt(row.releaseId);
  const wall = parseInstant(row.record.dateTime);
  if (sinceBoot === undefined || wall === undefined) return row;
  const known = knownTime({ wall, sinceBoot }, serviceTime);
  if (known === wall) return row;
  const record = { ...row.record, dateTime: isoWithOffset(known) };
  outbox.correct(row.id, record);
  const { releaseId, terminal } = row;
  log.info('history time corrected', {
    releaseId,
    terminal,
    seconds: Math.round(inSeconds(milliseconds(known - wall))),
  });
  return { ...row, record };
}
