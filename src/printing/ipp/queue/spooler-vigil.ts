/**
 * Guards our jobs at a spooler (INVARIANTS.md D15). A spooler that is killed and started again prints the interrupted
 * job from its beginning, and no error policy prevents that. So when it is back, each job that it may have begun is
 * ended and purged, and counts as possibly printed. Later jobs wait until then. It also purges documents that a spooler
 * keeps of ended jobs (I4). `job-watch.ts` follows jobs.
 */
import { waits } from '../../../core/retry-schedule.ts';
import type { Env } from '../../../domain/env.ts';
import type { CallOptions } from '../../../domain/ports/call.ts';
import type { PrinterJob } from '../../../domain/ports/printing.ts';
import { asProblem, isProblem, Problem } from '../../../domain/problem/problem.ts';
import { hasEnded } from '../../../domain/release.ts';
import type { Message } from '../../../ipp/message.ts';
import type { IppClient } from '../wire/ipp-client.ts';
import type { JobReading, JobSight } from '../job/job-sight.ts';
import { isKnownAs } from '../job/job-marks.ts';
import type { Guarded, SpoolerErrands } from './spooled-job.ts';
import { isAnother, spooledJob, spoolerErrands } from './spooled-job.ts';
import type { Absence, SpoolerPlace } from './spooler-link.ts';
import { attendSpooler } from './spooler-link.ts';
import { belatedLooks, busyLimit, cancelLimit, jobPolls, returnLeisure } from '../../timings.ts';

export interface SpoolerVigil extends Disposable {
  /** Reads jobs as `spooledJob` does, but throws while the spooler's answers cannot be trusted. */
  readonly reading: JobReading;
  /**
   * Guards the job from its creation until it is seen to have ended, or until `dismiss` says that it is no longer
   * needed.
   */
  begin(job: PrinterJob): void;
  dismiss(job: PrinterJob): void;
  /** Resolves when the job's kept document is purged, or cannot be purged. */
  cleared(job: PrinterJob): Promise<void>;
  /** Whether the spooler has been there ever since the job was made. */
  hasStayed(job: PrinterJob): boolean;
  /** Whether the spooler went away with the job and may have begun it a second time. */
  doubts(job: PrinterJob): boolean;
  /** Runs an action with the job; rejects with `outcome-unknown` as soon as the job had to be ended after a return. */
  during<Result, Call extends CallOptions>(
    job: PrinterJob,
    call: Call,
    action: (call: Call) => Promise<Result>,
  ): Promise<Result>;
  /** Resolves when no job of ours is in doubt; rejects with `printer-unreachable` if that takes more than 30 s. */
  settled(call: CallOptions): Promise<void>;
}

interface VigilDeps extends Pick<Env, 'clock' | 'log'> {
  readonly place: SpoolerPlace;
  readonly client: IppClient;
}

export const spoolerVigil = (deps: VigilDeps): SpoolerVigil => new StandingVigil(deps);

class StandingVigil implements SpoolerVigil {
  readonly reading: JobReading = {
    attributes: spooledJob.attributes,
    sight: (answer) => this.#sight(answer),
  };
  readonly #deps: VigilDeps;
  readonly #errands: SpoolerErrands;
  readonly #guarded = new Map<number, Guarded>();
  /** By job-id, as long as other code may wait for them. */
  readonly #purges = new Map<number, Promise<void>>();
  readonly #doubtful = new WeakSet<PrinterJob>();
  /** Jobs that were made here at a spooler that has not gone since. */
  readonly #stayed = new WeakSet<PrinterJob>();
  readonly #over = new AbortController();
  #link: AbortController | undefined;
  #isAway = false;
  /** Belongs to the last return and ends the settling of an older one. */
  #settling = new AbortController();
  /** All that is known of the absence since the spooler was last in order. */
  #unsettled: Absence | undefined;

  constructor(deps: VigilDeps) {
    this.#deps = deps;
    this.#errands = spoolerErrands(deps);
  }

  begin(job: PrinterJob): void {
    this.#guard(job);
    this.#stayed.add(job);
  }

  dismiss(job: PrinterJob): void {
    if (this.#guarded.get(job.jobId)?.isLost === false) this.#release(job.jobId);
  }

  async cleared({ jobId }: PrinterJob): Promise<void> {
    await this.#purges.get(jobId);
  }

  hasStayed(job: PrinterJob): boolean {
    return this.#stayed.has(job) && !this.#doubtful.has(job);
  }

  doubts(job: PrinterJob): boolean {
    return this.#doubtful.has(job);
  }

  async during<Result, Call extends CallOptions>(
    job: PrinterJob,
    call: Call,
    action: (call: Call) => Promise<Result>,
  ): Promise<Result> {
    const { stopped } = this.#guard(job);
    try {
      return await action({ ...call, signal: AbortSignal.any([call.signal, stopped.signal]) });
    } catch (error) {
      call.signal.throwIfAborted();
      if (isProblem(error) && error.delivery === 'not-sent') throw error;
      throw stopped.signal.aborted ? stopped.signal.reason : error;
    }
  }

  async settled({ signal }: CallOptions): Promise<void> {
    const { clock } = this.#deps;
    const end = clock.monotonic() + busyLimit;
    while (this.#lost().length > 0) {
      if (clock.monotonic() > end) {
        throw new Problem('printer-unreachable', 'the spooler went away with a job of ours', {
          delivery: 'not-sent',
        });
      }
      await clock.sleep(returnLeisure, { signal });
    }
  }

  [Symbol.dispose](): void {
    this.#over.abort();
    this.#link?.abort();
    this.#guarded.clear();
  }

  #guard(job: PrinterJob): Guarded {
    const known = this.#guarded.get(job.jobId);
    if (known) return known;
    this.#purges.delete(job.jobId);
    const one: Guarded = { job, stopped: new AbortController(), isLost: this.#isAway };
    this.#guarded.set(job.jobId, one);
    this.#attend();
    return one;
  }

  #release(jobId: number): void {
    this.#guarded.delete(jobId);
    if (this.#guarded.size > 0) return;
    this.#link?.abort();
    this.#link = undefined;
    this.#isAway = false;
  }

  #lost(): readonly Guarded[] {
    return [...this.#guarded.values()].filter(({ isLost }) => isLost);
  }

  #attend(): void {
    if (this.#link) return;
    this.#link = new AbortController();
    const { signal } = this.#link;
    const ears = {
      onLost: () => this.#lose(),
      onBack: (absence: Absence) => this.#takeBack(absence, signal),
    };
    attendSpooler(this.#deps, ears, { signal }).catch(() => {});
  }

  #lose(): void {
    this.#settling.abort();
    this.#isAway = true;
    for (const one of this.#guarded.values()) {
      one.isLost = true;
      this.#stayed.delete(one.job);
    }
    this.#deps.log.warn('spooler has gone', { jobs: [...this.#guarded.keys()] });
  }

  #takeBack(absence: Absence, signal: AbortSignal): void {
    this.#settling = new AbortController();
    this.#isAway = false;
    this.#unsettled = this.#unsettled
      ? { ...this.#unsettled, wasRefused: this.#unsettled.wasRefused || absence.wasRefused }
      : absence;
    const call = { signal: AbortSignal.any([signal, this.#settling.signal]) };
    this.#settleAll(this.#unsettled, call).catch(() => {});
  }

  async #settleAll(absence: Absence, call: CallOptions): Promise<void> {
    await Promise.all(this.#lost().map((one) => this.#settle(one, absence, call)));
    this.#unsettled = undefined;
  }

  async #settle(one: Guarded, absence: Absence, call: CallOptions): Promise<void> {
    if (await this.#isKnownToGoOn(one, absence, call)) one.isLost = false;
    else this.#doubt(one, absence);
  }

  /** Asks until the answer is known or the spooler refuses it. */
  async #isKnownToGoOn(one: Guarded, absence: Absence, call: CallOptions): Promise<boolean> {
    const { clock, log } = this.#deps;
    const since = clock.monotonic();
    for (const pause of waits(jobPolls)) {
      try {
        return await this.#goesOn(one, absence, call);
      } catch (cause) {
        call.signal.throwIfAborted();
        const error = asProblem(cause, 'printer-unreachable', 'the spooler could not be asked');
        const isRefused = error.code !== 'printer-unreachable' && clock.monotonic() - since > cancelLimit;
        if (isRefused || error.code === 'outcome-unknown') return false;
        log.debug('spooler does not answer yet', { jobId: one.job.jobId, error });
      }
      await clock.sleep(pause, call);
    }
    return false;
  }

  #doubt({ job, stopped }: Guarded, { since }: Absence): void {
    const { clock, log } = this.#deps;
    this.#doubtful.add(job);
    const absentFor = clock.monotonic() - since;
    log.warn('spooler came back with a job', { jobId: job.jobId, absentFor });
    stopped.abort(
      new Problem('outcome-unknown', 'the spooler went away and may have begun the job again', {
        delivery: 'perhaps',
      }),
    );
    this.#release(job.jobId);
  }

  /** Whether it is still the same printing; ends any other. Rejects with `outcome-unknown` if there is no such job. */
  async #goesOn(one: Guarded, absence: Absence, call: CallOptions): Promise<boolean> {
    const seen = await this.#errands.see(one.job, call);
    if (!isAnother(seen, one, absence)) return true;
    if (!hasEnded(seen.report) || seen.keepsDocument) await this.#errands.purge(one.job, call);
    if (!hasEnded(seen.report)) await this.#errands.untilEnded(one.job, call);
    return false;
  }

  /** Updates the guard from an answer about a guarded job; other jobs do not matter. */
  #sight(answer: Message): JobSight {
    const seen = spooledJob.sight(answer);
    const { jobId } = seen.shown;
    const one = jobId === undefined ? undefined : this.#guarded.get(jobId);
    if (!one || !isKnownAs(seen.shown, one.job)) return seen;
    if (one.isLost)
      throw new Problem('printer-unreachable', 'the spooler is being asked what it does with the job');
    const { begunAt } = seen;
    if (begunAt !== undefined) one.begun ??= { at: begunAt, seenAt: this.#deps.clock.monotonic() };
    if (hasEnded(seen.report)) {
      this.#release(one.job.jobId);
      const isKept = seen.keepsDocument === true;
      if (isKept || seen.report.state !== 'completed') {
        const cleared = this.#clear(one.job, isKept);
        if (isKept) this.#purges.set(one.job.jobId, cleared);
      }
    }
    return seen;
  }

  /** A cancelled job still accepts its document, which may be on its way, so the job is checked again later. */
  async #clear(job: PrinterJob, isKept: boolean): Promise<void> {
    const { see, purge } = this.#errands;
    const call = { signal: this.#over.signal };
    try {
      if (isKept) return await purge(job, call);
      for (const pause of belatedLooks) {
        await this.#deps.clock.sleep(pause, call);
        if ((await see(job, call)).keepsDocument) return await purge(job, call);
      }
    } catch (error) {
      if (this.#over.signal.aborted || isProblem(error, 'outcome-unknown')) return;
      this.#deps.log.warn('spooler keeps the document', {
        jobId: job.jobId,
        error: asProblem(error, 'printer-unreachable', 'the document could not be purged'),
      });
    }
  }
}
