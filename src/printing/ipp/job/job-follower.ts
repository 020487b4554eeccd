/**
 * Follows a job to its end (RFC 8011 section 4.3.4). Slow is not stalled: while the printer says that it works and names
 * no obstacle it is waited for as the contract has it ("How long a job may stand"); a job that stands until somebody
 * mends the printer is told of, and whose job it is decides. Reports, never judges: that is `domain/printer/job-verdict.ts`.
 */
import { awakeTime } from '../../../core/awake.ts';
import type { Duration } from '../../../core/duration.ts';
import { inSeconds } from '../../../core/duration.ts';
import { waits } from '../../../core/retry-schedule.ts';
import type { Env } from '../../../domain/env.ts';
import type { CallOptions } from '../../../domain/ports/call.ts';
import type { FollowOptions, PrinterJob } from '../../../domain/ports/printing.ts';
import { asProblem, isProblem, Problem } from '../../../domain/problem/problem.ts';
import type { JobReport } from '../../../domain/release.ts';
import { hasEnded } from '../../../domain/release.ts';
import { isHeld } from './held-job.ts';
import type { JobLooks, JobRecord, Look } from './job-looks.ts';
import type { JobSight } from './job-sight.ts';
import type { Contact, PrinterContact } from './printer-contact.ts';
import { printerContact } from './printer-contact.ts';
import type { QueueLook } from './queue-look.ts';
import { settlingLimit } from './settling-limit.ts';
import type { PrinterLook } from './standing-signs.ts';
import { isHindered, standingOf } from './standing-signs.ts';
import type { JobStall } from '../../job-patience.ts';
import { patienceFor } from '../../job-patience.ts';
import {
  heldNotice,
  jobPolls,
  longestLook,
  printerLook,
  restLimit,
  unreachableLimit,
} from '../../timings.ts';

export interface WatchOptions extends FollowOptions {
  /** A document that the printer has not taken in for so long lies in the network: that is a matter of bytes. */
  readonly incomingStall?: Duration;
}

export interface FollowerDeps extends Pick<Env, 'clock' | 'log'> {
  readonly looks: JobLooks;
  readonly stall: JobStall;
  readonly lookAtPrinter: (options: CallOptions) => Promise<PrinterLook>;
  /** What the printer named when it was last idle. */
  readonly namedAtRest: () => readonly string[];
  readonly lookAtQueue: QueueLook;
  /** It fell silent or stopped while it had a job, or that is over. */
  readonly onContact?: ((contact: Contact) => void) | undefined;
  /** A spooler was about to print the job again. */
  readonly stopAnother: (job: PrinterJob, options: CallOptions) => Promise<void>;
}

/** Follows one job once. Spans in milliseconds, without the time in which nothing ran. */
export class JobFollower {
  readonly #deps: FollowerDeps;
  readonly #job: PrinterJob;
  readonly #record: JobRecord;
  readonly #options: WatchOptions;
  /** Since the printer last answered. */
  #away = 0;
  #isAway = false;
  /** It was said to stand. */
  #isShown = false;
  readonly #before: readonly string[];
  /** Since the job last moved; and as far as that is held against it. */
  #unmoved = 0;
  #quiet = 0;
  /** `#unmoved` at the last look at the printer. */
  #lookedAt = 0;
  #printer: PrinterLook | undefined;
  /** `#unmoved` when the printer was first seen at rest since. */
  #restedFrom: number | undefined;
  #isHeld = false;
  #queue = '';
  readonly #seen = new Set<string>();
  #begunAt: number | undefined;
  /** Since it ended, or was not found any more, or not told of. */
  #over = 0;

  constructor(deps: FollowerDeps, job: PrinterJob, options: WatchOptions) {
    this.#deps = deps;
    this.#job = job;
    this.#record = deps.looks.recordOf(job);
    this.#options = options;
    this.#before = deps.namedAtRest();
  }

  async follow(): Promise<JobReport> {
    const { clock, onContact = nobody } = this.#deps;
    using contact = printerContact({ clock, onContact });
    using _ = { [Symbol.dispose]: () => this.#tellNoMore() };
    const time = awakeTime(clock, longestLook);
    let before = time();
    for (const pause of waits(jobPolls)) {
      const now = time();
      const passed = now - before;
      before = now;
      this.#pass(passed);
      const end = await this.#turn(contact, passed);
      if (end) return end;
      await clock.sleep(pause, this.#options);
    }
    throw new Error('the waits of a job came to an end');
  }

  #pass(passed: number): void {
    this.#away += passed;
    // What was not seen is not held against the job.
    if (this.#isAway) return;
    this.#unmoved += passed;
    this.#quiet += passed;
  }

  async #turn(contact: PrinterContact, passed: number): Promise<JobReport | undefined> {
    let look: Look;
    try {
      contact.asked();
      look = await this.#deps.looks.look(this.#job, this.#options);
    } catch (error) {
      if (saysNothing(error)) this.#heard(contact);
      else if (await this.#isThereAllTheSame()) contact.heard();
      else return this.#gone(error);
      const problem = asProblem(error, 'printer-protocol', 'the printer tells nothing of the job');
      return this.#notTold(problem, passed, true);
    }
    this.#heard(contact);
    if (look.kind === 'seen') return this.#sighted(look.sight, passed);
    if (look.kind === 'not-found') return this.#forgotten(passed);
    if (look.kind === 'refused') return this.#notTold(look.problem, passed, this.#record.wasTold);
    throw new Problem('outcome-unknown', 'nothing shows that the job under this id is still ours');
  }

  #gone(cause: unknown): undefined {
    this.#isAway = true;
    if (this.#away <= unreachableLimit) return;
    throw new Problem('printer-unreachable', 'the printer is gone since it took the document', { cause });
  }

  #heard(contact: PrinterContact): void {
    contact.heard();
    this.#away = 0;
    this.#isAway = false;
  }

  /** Some break each connection on which they are asked about a job, and say on another one how they are. */
  async #isThereAllTheSame(): Promise<boolean> {
    if (this.#away <= restLimit) return false;
    return (await this.#printerNow()) !== undefined;
  }

  /** `undefined`: it does not say. */
  async #printerNow(): Promise<PrinterLook | undefined> {
    try {
      return await this.#deps.lookAtPrinter(this.#options);
    } catch {
      this.#options.signal.throwIfAborted();
      return undefined;
    }
  }

  async #sighted(sight: JobSight, passed: number): Promise<JobReport | undefined> {
    const { report } = sight;
    await this.#checkBegunOnce(sight);
    if (hasEnded(report)) return this.#settled(sight, passed);
    this.#over = 0;
    if (report.impressionsCompleted !== undefined) this.#options.onPages?.(report.impressionsCompleted);
    // What was there before, and comes back, is no progress.
    if (!this.#seen.has(sight.fingerprint)) this.#moved(sight.fingerprint);
    this.#hold(report);
    if (!this.#isHeld) await this.#lookAround(report);
    if (this.#isOut(report)) return letGo(this.#record, 'never-ended');
    this.#stands(report);
    return undefined;
  }

  async #checkBegunOnce({ begunAt, waitsAgain }: JobSight): Promise<void> {
    const isBegunAgain = this.#begunAt !== undefined && begunAt !== this.#begunAt;
    if (isBegunAgain || waitsAgain) {
      await this.#deps.stopAnother(this.#job, this.#options);
      throw new Problem('outcome-unknown', 'the spooler was going to print the job again');
    }
    this.#begunAt = begunAt;
  }

  /** The report of a job that has ended, once nothing of it may change. */
  #settled({ report, keepsDocument }: JobSight, passed: number): JobReport | undefined {
    const { log } = this.#deps;
    this.#tellNoMore();
    this.#over += passed;
    if (this.#over <= settlingLimit(report, this.#options.expected)) return undefined;
    if (keepsDocument) log.warn('spooler keeps the document', { jobId: this.#job.jobId });
    return report;
  }

  #moved(fingerprint: string): void {
    this.#unmoved = 0;
    this.#quiet = 0;
    this.#lookedAt = 0;
    this.#printer = undefined;
    this.#restedFrom = undefined;
    this.#seen.add(fingerprint);
  }

  /** Nothing new of the job: what does the printer say, and does the queue before it move? */
  async #lookAround({ state }: JobReport): Promise<void> {
    const { stall, lookAtPrinter, lookAtQueue } = this.#deps;
    const isDue =
      this.#unmoved - this.#lookedAt >= printerLook ||
      this.#quiet > patienceFor(stall, this.#options.expected);
    if (!isDue) return;
    this.#lookedAt = this.#unmoved;
    try {
      this.#printer = await lookAtPrinter(this.#options);
      this.#restedFrom = this.#isAtRest(this.#printer) ? (this.#restedFrom ?? this.#unmoved) : undefined;
      if (state !== 'pending' && state !== 'pending-held') return;
      const queue = await lookAtQueue(this.#job, this.#options);
      if (queue !== this.#queue) this.#quiet = 0;
      this.#queue = queue;
    } catch {
      this.#options.signal.throwIfAborted();
      this.#restedFrom = undefined;
    }
  }

  /** The device waits for somebody at its panel; told when that is no matter of a moment. */
  #hold(report: JobReport): void {
    const { incomingStall, onWait } = this.#options;
    const isNow = incomingStall === undefined && isHeld(report);
    if (isNow === this.#isHeld || (isNow && this.#unmoved < heldNotice)) return;
    this.#isHeld = isNow;
    if (isNow)
      this.#deps.log.info('printer holds the job', { jobId: this.#job.jobId, reasons: report.reasons });
    onWait?.(isNow ? 'held' : undefined);
  }

  #isAtRest = (printer: PrinterLook): boolean =>
    printer.state === 'idle' && !isHindered(printer, this.#before) && livesOn(this.#record, printer);

  /** Every page was counted, by a printer that counts, and it has rested since: some never say that a job is over. */
  #isOut({ state, impressionsCompleted = 0, isProvenCounter }: JobReport): boolean {
    const { expected, incomingStall } = this.#options;
    if (state !== 'processing' || incomingStall !== undefined || !isProvenCounter || !expected) return false;
    if (expected.pages < 1 || impressionsCompleted < expected.pages * expected.copies) return false;
    return this.#restedFrom !== undefined && this.#unmoved - this.#restedFrom >= restLimit;
  }

  #stands({ state, reasons }: JobReport): void {
    const { stall } = this.#deps;
    const { onStanding, onProgress, expected, incomingStall } = this.#options;
    const standing = this.#isHeld
      ? 'stands'
      : standingOf({
          state,
          expected,
          printer: this.#printer,
          before: this.#before,
          unmoved: this.#unmoved,
        });
    this.#show(standing !== 'moves' && !this.#isHeld);
    if (standing === 'stands') onStanding?.();
    // It is at work, as far as anybody can tell.
    else onProgress?.();
    if (standing === 'stands' && stall === 'auto') this.#quiet = 0;
    const isIncoming = state !== 'processing' && reasons.includes('job-incoming');
    const patience = (isIncoming && incomingStall) || patienceFor(stall, expected);
    if (this.#quiet <= patience) return;
    throw new Problem('printer-stalled', `the job has been ${state} for ${inSeconds(patience)} s`, {
      reasons: [...reasons, ...(this.#printer?.obstacles ?? []), ...(this.#printer?.remarks ?? [])],
    });
  }

  #tellNoMore(): void {
    this.#show(false);
    if (this.#isHeld) this.#options.onWait?.(undefined);
    this.#isHeld = false;
  }

  /** Whether it is said to stand. */
  #show(isStanding: boolean): void {
    if (isStanding !== this.#isShown) this.#deps.onContact?.(isStanding ? 'stands' : 'goes-on');
    this.#isShown = isStanding;
  }

  /** Many printers know no job that is done: one that they were printing, and that is gone from an idle printer, is out. */
  async #forgotten(passed: number): Promise<JobReport | undefined> {
    const record = this.#record;
    const unknown = new Problem('outcome-unknown', 'the printer does not know the job');
    this.#over += passed;
    // It said so in the answer that took the document.
    if (record.last && hasEnded(record.last)) return record.last;
    if (!record.wasProcessing || this.#over > restLimit) throw unknown;
    const printer = await this.#printerNow();
    if (!printer) return undefined;
    if (!livesOn(record, printer) || isHindered(printer, this.#before)) throw unknown;
    return printer.state === 'idle' ? letGo(record, 'forgotten') : undefined;
  }

  /**
   * It tells nobody of its jobs: a no is an answer, and it is not asked the same again. One that has told of this job, or
   * that says what nobody understands, may have been disturbed: that may pass, and it may have been restarted. Busy, or ill,
   * it may be for as long as it prints.
   */
  async #notTold(
    { code, reasons }: Problem,
    passed: number,
    mayPass: boolean,
  ): Promise<JobReport | undefined> {
    const { looks, log } = this.#deps;
    this.#over += passed;
    if (mayPass && this.#over <= restLimit) return undefined;
    const report = await looks.lookAmongEnded(this.#job, this.#options);
    const mayLast = code === 'printer-busy' || (code === 'printer-not-ready' && this.#record.wasTold);
    if (!report && mayLast && this.#over <= unreachableLimit) return undefined;
    log.info('printer tells nothing of its jobs', { jobId: this.#job.jobId, reasons });
    if (report) return report;
    const printer = mayPass ? await this.#printerNow() : undefined;
    if (mayPass && !(printer && livesOn(this.#record, printer)))
      throw new Problem(
        'outcome-unknown',
        'the printer tells no more of the job, and may have been restarted',
      );
    return letGo(this.#record, 'not-told');
  }
}

/** It answers, and not what it was asked: what it says makes no sense, or is a no that may pass. */
const saysNothing = (error: unknown): boolean =>
  isProblem(
    error,
    ...(['printer-protocol', 'printer-no-ipp', 'printer-path-unknown', 'printer-moved'] as const),
    ...(['printer-tls-wanted', 'printer-busy', 'printer-not-ready', 'printer-refused-job'] as const),
  );

/** The printer has been up since before it made the job. */
const livesOn = ({ marked }: JobRecord, { upTime }: PrinterLook): boolean =>
  upTime !== undefined && marked.isSameLife(upTime) === true;

const letGo = ({ last }: JobRecord, how: NonNullable<JobReport['letGo']>): JobReport => ({
  ...(last ?? { state: 'processing', reasons: [] }),
  letGo: how,
});

const nobody = (): void => {};

/** Whether a follower's end says only that the job cannot be told from others, or not at all. */
export const cannotTell = (error: unknown): boolean => isProblem(error, 'outcome-unknown');
