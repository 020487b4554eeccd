/**
 * Follows a job to its end (RFC 8011 section 4.3.4). A slow job is not a stalled job: while the printer works and names
 * no obstacle, the wait follows the contract ("How long a job may stand"). If a job stands until a person repairs the
 * printer, that is shown, and the owner of the job decides. This code only reports; `domain/printer/job-verdict.ts`
 * judges.
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
import { isHeld, isHindered, settlingLimit, standingOf } from './standing-signs.ts';
import type { JobLooks, JobRecord, Look } from './job-looks.ts';
import type { JobSight } from './job-sight.ts';
import type { Contact, PrinterContact } from './printer-contact.ts';
import { printerContact } from './printer-contact.ts';
import type { QueueLook } from './queue-look.ts';
import type { PrinterLook } from './standing-signs.ts';
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
  /**
   * If the printer has not taken the document in for this time, it is stuck in the network, and the limit for bytes
   * counts.
   */
  readonly incomingStall?: Duration;
}

export interface FollowerDeps extends Pick<Env, 'clock' | 'log'> {
  readonly looks: JobLooks;
  readonly stall: JobStall;
  readonly lookAtPrinter: (options: CallOptions) => Promise<PrinterLook>;
  /** The reasons that the printer named when it was last idle. */
  readonly namedAtRest: () => readonly string[];
  readonly lookAtQueue: QueueLook;
  /** Called when the printer falls silent or stops while it has a job, and when that is over. */
  readonly onContact?: ((contact: Contact) => void) | undefined;
  /** Called when a spooler was about to print the job again. */
  readonly stopAnother: (job: PrinterJob, options: CallOptions) => Promise<void>;
}

/** Follows one job once. Spans are in milliseconds, without time in which this machine stood still. */
export class JobFollower {
  readonly #deps: FollowerDeps;
  readonly #job: PrinterJob;
  readonly #record: JobRecord;
  readonly #options: WatchOptions;
  /** The time since the printer last answered. */
  #away = 0;
  #isAway = false;
  /** The job is shown as standing. */
  #isShown = false;
  readonly #before: readonly string[];
  /** The time since the job last moved, and the part of it that counts as a stall. */
  #unmoved = 0;
  #quiet = 0;
  /** `#unmoved` at the last look at the printer. */
  #lookedAt = 0;
  #printer: PrinterLook | undefined;
  /** `#unmoved` when the printer was first seen idle after the last movement. */
  #restedFrom: number | undefined;
  #isHeld = false;
  #queue = '';
  readonly #seen = new Set<string>();
  #begunAt: number | undefined;
  /** The time since the job ended, was no longer found, or was no longer told of. */
  #over = 0;

  constructor(deps: FollowerDeps, job: PrinterJob, options: WatchOptions) {
    this.#deps = deps;
    this.#job = job;
    this.#record = deps.looks.recordOf(job);
    this.#options = options;
    this.#before = deps.namedAtRest();
  }

  async follow(): Promise<JobReport> {
    const { clock, onContact = ignoreContact } = this.#deps;
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
    // Time without contact does not count against the job.
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
      else if (await this.#answersElsewhere()) contact.heard();
      else return this.#gone(error);
      const problem = asProblem(error, 'printer-protocol', 'the printer tells nothing of the job');
      return this.#unreported(problem, passed, true);
    }
    this.#heard(contact);
    if (look.kind === 'seen') return this.#sighted(look.sight, passed);
    if (look.kind === 'not-found') return this.#forgotten(passed);
    if (look.kind === 'refused') return this.#unreported(look.problem, passed, this.#record.wasReported);
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

  /** Some printers break each connection on which a job is asked about, but answer on another connection. */
  async #answersElsewhere(): Promise<boolean> {
    if (this.#away <= restLimit) return false;
    return (await this.#printerNow()) !== undefined;
  }

  /** `undefined` if the printer does not answer. */
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
    // A state that was seen before and comes back is not progress.
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

  /** The report of an ended job, once it can no longer change. */
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

  /** If the job shows nothing new, looks at the printer and at the queue before the job. */
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

  /** The device waits for a person at its panel; shown if it lasts longer than a moment. */
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

  /**
   * Every page was counted, by a printer that counts, and it has been idle since: some printers never say that a job is
   * over.
   */
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
    // As far as can be seen, it is at work.
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

  #show(isStanding: boolean): void {
    if (isStanding !== this.#isShown) this.#deps.onContact?.(isStanding ? 'stands' : 'goes-on');
    this.#isShown = isStanding;
  }

  /**
   * Many printers forget a finished job. A job that was being printed and is now gone from an idle printer is printed.
   */
  async #forgotten(passed: number): Promise<JobReport | undefined> {
    const record = this.#record;
    const unknown = new Problem('outcome-unknown', 'the printer does not know the job');
    this.#over += passed;
    // The answer that took the document already said that the job had ended.
    if (record.last && hasEnded(record.last)) return record.last;
    if (!record.wasProcessing || this.#over > restLimit) throw unknown;
    const printer = await this.#printerNow();
    if (!printer) return undefined;
    if (!livesOn(record, printer) || isHindered(printer, this.#before)) throw unknown;
    return printer.state === 'idle' ? letGo(record, 'forgotten') : undefined;
  }

  /**
   * The printer does not tell of its jobs. A clear refusal is an answer, and the same question is not asked again. A
   * printer that told of this job before, or whose answer makes no sense, may be disturbed for a moment, or may have
   * restarted. A busy or faulty printer may stay so while it prints.
   */
  async #unreported(
    { code, reasons }: Problem,
    passed: number,
    mayPass: boolean,
  ): Promise<JobReport | undefined> {
    const { looks, log } = this.#deps;
    this.#over += passed;
    if (mayPass && this.#over <= restLimit) return undefined;
    const report = await looks.lookAmongEnded(this.#job, this.#options);
    const mayLast = code === 'printer-busy' || (code === 'printer-not-ready' && this.#record.wasReported);
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

/** The printer answers, but not the question: the answer makes no sense, or is a refusal that may pass. */
const saysNothing = (error: unknown): boolean =>
  isProblem(
    error,
    ...(['printer-protocol', 'printer-no-ipp', 'printer-path-unknown', 'printer-moved'] as const),
    ...(['printer-tls-wanted', 'printer-busy', 'printer-not-ready', 'printer-refused-job'] as const),
  );

/** The printer has been running since before it made the job. */
const livesOn = ({ marked }: JobRecord, { upTime }: PrinterLook): boolean =>
  upTime !== undefined && marked.isSameLife(upTime) === true;

const letGo = ({ last }: JobRecord, how: NonNullable<JobReport['letGo']>): JobReport => ({
  ...(last ?? { state: 'processing', reasons: [] }),
  letGo: how,
});

const ignoreContact = (): void => {};

/** Whether the follower ended only because the job cannot be distinguished from others, or is not told of. */
export const cannotTell = (error: unknown): boolean => isProblem(error, 'outcome-unknown');
