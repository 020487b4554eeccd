/**
 * Follows a job to its end (RFC 8011 section 4.3.4). Slow is not stalled: while the printer says that it works and names
 * no obstacle it is waited for as the contract has it ("How long a job may stand"); a job that stands until somebody
 * mends the printer is told of, and whose job it is decides. Reports, never judges: that is `domain/job-verdict.ts`.
 */
import { awakeTime } from '../../../core/awake.ts';
import type { Clock } from '../../../core/clock.ts';
import type { Duration } from '../../../core/duration.ts';
import { inSeconds, milliseconds } from '../../../core/duration.ts';
import type { Log } from '../../../core/log.ts';
import { waits } from '../../../core/retry-schedule.ts';
import type { CallOptions } from '../../../domain/ports/call.ts';
import type { FollowOptions, PrinterJob } from '../../../domain/ports/printing.ts';
import { countsDocuments, isShort } from '../../../domain/printer/job-verdict.ts';
import { isProblem, Problem } from '../../../domain/problem/problem.ts';
import type { ExpectedOutput, JobReport } from '../../../domain/release.ts';
import { hasEnded } from '../../../domain/release.ts';
import type { JobLooks, JobRecord, Look } from './job-looks.ts';
import type { JobSight } from './job-sight.ts';
import type { Contact, PrinterContact } from './printer-contact.ts';
import { printerContact } from './printer-contact.ts';
import type { QueueLook } from './queue-look.ts';
import type { JobStall } from '../../job-patience.ts';
import { patienceFor } from '../../job-patience.ts';
import {
  cancelLimit,
  countLimit,
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

/** What the printer says of itself while a job is followed. */
export interface PrinterLook {
  /** printer-state-reasons that keep a page from coming out. */
  readonly obstacles: readonly string[];
  readonly state: 'idle' | 'processing' | 'stopped';
  /** printer-up-time, seconds. */
  readonly upTime: number | undefined;
}

export interface FollowerParts {
  readonly looks: JobLooks;
  readonly clock: Clock;
  readonly log: Log;
  readonly stall: JobStall;
  readonly lookAtPrinter: (options: CallOptions) => Promise<PrinterLook>;
  readonly lookAtQueue: QueueLook;
  /** It fell silent or stopped while it had a job, or that is over. */
  readonly onContact?: ((contact: Contact) => void) | undefined;
  /** A spooler was about to print the job again. */
  readonly stopAnother: (job: PrinterJob, options: CallOptions) => Promise<void>;
}

/** Spans in milliseconds, without the time in which nothing ran. */
interface Run {
  readonly job: PrinterJob;
  readonly record: JobRecord;
  readonly options: WatchOptions;
  readonly contact: PrinterContact;
  /** Since the printer last answered. */
  away: number;
  isAway: boolean;
  isStanding: boolean;
  /** Since the job last moved; and as far as that is held against it. */
  unmoved: number;
  quiet: number;
  /** `unmoved` at the last look at the printer. */
  lookedAt: number;
  obstacles: readonly string[];
  queue: string;
  readonly seen: Set<string>;
  begunAt: number | undefined;
  /** Since it ended, or was not found any more, or not told of. */
  over: number;
}

export function jobFollower(parts: FollowerParts) {
  const { looks, clock, log, stall, lookAtPrinter, lookAtQueue, stopAnother, onContact = nobody } = parts;

  return async function follow(job: PrinterJob, options: WatchOptions): Promise<JobReport> {
    using contact = printerContact({ clock, onContact });
    const run = newRun(job, { record: looks.recordOf(job), options, contact });
    const time = awakeTime(clock, longestLook);
    let before = time();
    for (const pause of waits(jobPolls)) {
      const now = time();
      const passed = now - before;
      before = now;
      run.away += passed;
      // What was not seen is not held against the job.
      if (!run.isAway) for (const span of ['unmoved', 'quiet'] as const) run[span] += passed;
      const end = await turn(run, passed);
      if (end) return end;
      await clock.sleep(pause, options);
    }
    throw new Error('the waits of a job came to an end');
  };

  async function turn(run: Run, passed: number): Promise<JobReport | undefined> {
    const { job, options } = run;
    let look: Look;
    try {
      run.contact.asked();
      look = await looks.look(job, options);
    } catch (error) {
      // It answers, and what it says of its jobs makes no sense.
      if (isProblem(error, 'printer-protocol')) return notTold(run, error, passed);
      run.isAway = true;
      if (run.away <= unreachableLimit) return undefined;
      throw new Problem('printer-unreachable', 'the printer is gone since it took the document', {
        cause: error,
      });
    }
    run.contact.heard();
    run.away = 0;
    run.isAway = false;
    if (look.kind === 'seen') return seen(run, look.sight, passed);
    if (look.kind === 'not-found') return forgotten(run, passed);
    if (look.kind === 'refused') return notTold(run, look.problem, passed);
    throw new Problem('outcome-unknown', 'nothing shows that the job under this id is still ours');
  }

  async function seen(run: Run, sight: JobSight, passed: number): Promise<JobReport | undefined> {
    const { job, options } = run;
    const { report } = sight;
    const isBegunAgain = run.begunAt !== undefined && sight.begunAt !== run.begunAt;
    if (isBegunAgain || sight.waitsAgain) {
      await stopAnother(job, options);
      throw new Problem('outcome-unknown', 'the spooler was going to print the job again');
    }
    run.begunAt = sight.begunAt;
    if (hasEnded(report)) {
      if (run.isStanding) onContact('goes-on');
      run.isStanding = false;
      run.over += passed;
      if (run.over <= settlingLimit(report, options.expected)) return undefined;
      if (sight.keepsDocument) log.warn('spooler keeps the document', { jobId: job.jobId });
      return report;
    }
    run.over = 0;
    if (report.impressionsCompleted !== undefined) options.onPages?.(report.impressionsCompleted);
    // What was there before, and comes back, is no progress.
    if (!run.seen.has(sight.fingerprint)) {
      Object.assign(run, { unmoved: 0, quiet: 0, lookedAt: 0, obstacles: [] });
      run.seen.add(sight.fingerprint);
    }
    await lookAround(run, report);
    stands(run, report);
    return undefined;
  }

  /** Nothing new of the job: what does the printer say, and does the queue before it move? */
  async function lookAround(run: Run, { state }: JobReport): Promise<void> {
    const { job, options } = run;
    const isDue =
      run.unmoved - run.lookedAt >= printerLook || run.quiet > patienceFor(stall, options.expected);
    if (!isDue) return;
    run.lookedAt = run.unmoved;
    try {
      run.obstacles = (await lookAtPrinter(options)).obstacles;
      if (state !== 'pending' && state !== 'pending-held') return;
      const queue = await lookAtQueue(job, options);
      if (queue !== run.queue) run.quiet = 0;
      run.queue = queue;
    } catch {
      options.signal.throwIfAborted();
    }
  }

  function stands(run: Run, { state, reasons }: JobReport): void {
    const { onStanding, onProgress, expected, incomingStall } = run.options;
    const isStanding = state === 'processing-stopped' || run.obstacles.length > 0;
    if (isStanding !== run.isStanding) onContact(isStanding ? 'stands' : 'goes-on');
    run.isStanding = isStanding;
    if (isStanding) onStanding?.();
    // It is at work, as far as anybody can tell.
    else onProgress?.();
    if (isStanding && stall === 'auto') run.quiet = 0;
    const isIncoming = state !== 'processing' && reasons.includes('job-incoming');
    const patience = (isIncoming && incomingStall) || patienceFor(stall, expected);
    if (run.quiet <= patience) return;
    throw new Problem('printer-stalled', `the job has been ${state} for ${inSeconds(patience)} s`, {
      reasons: [...reasons, ...run.obstacles],
    });
  }

  /** Many printers know no job that is done: one that they were printing, and that is gone from an idle printer, is out. */
  async function forgotten(run: Run, passed: number): Promise<JobReport | undefined> {
    const { record, options } = run;
    const unknown = new Problem('outcome-unknown', 'the printer does not know the job');
    run.over += passed;
    // It said so in the answer that took the document.
    if (record.last && hasEnded(record.last)) return record.last;
    if (!record.wasProcessing || run.over > restLimit) throw unknown;
    let printer: PrinterLook;
    try {
      printer = await lookAtPrinter(options);
    } catch {
      options.signal.throwIfAborted();
      return undefined;
    }
    if (!livesOn(record, printer) || printer.obstacles.length > 0) throw unknown;
    return printer.state === 'idle' ? letGo(record, 'forgotten') : undefined;
  }

  /**
   * It tells nobody of its jobs: a no is an answer, and it is not asked the same again. One that has told of this job, or
   * that speaks what nobody understands, may have been disturbed, and is; and it may have been restarted.
   */
  async function notTold(
    run: Run,
    { code, reasons }: Problem,
    passed: number,
  ): Promise<JobReport | undefined> {
    const { job, record, options } = run;
    run.over += passed;
    const mayPass = record.wasTold || code === 'printer-protocol';
    if (mayPass && run.over <= restLimit) return undefined;
    const report = await looks.lookAmongEnded(job, options);
    log.info('printer tells nothing of its jobs', { jobId: job.jobId, reasons });
    if (report) return report;
    if (mayPass && !(await isSeenToLiveOn(run)))
      throw new Problem(
        'outcome-unknown',
        'the printer tells no more of the job, and may have been restarted',
      );
    return letGo(record, 'not-told');
  }

  async function isSeenToLiveOn({ record, options }: Run): Promise<boolean> {
    try {
      return livesOn(record, await lookAtPrinter(options));
    } catch {
      options.signal.throwIfAborted();
      return false;
    }
  }
}

/** How long the word on a job that has ended may still change. */
export function settlingLimit(report: JobReport, expected?: ExpectedOutput): Duration {
  const isGivenUp = report.state !== 'completed';
  if (isGivenUp && report.reasons.includes('processing-to-stop-point')) return cancelLimit;
  // Some add up the pages after the job's end; and the sheet in the path counts when it is out.
  const mayCount = isGivenUp ? saysNone(report) : isUncounted(report, expected);
  return mayCount ? countLimit : notAtAll;
}

const notAtAll = milliseconds(-1);

const saysNone = (report: JobReport): boolean => report.isProvenCounter === true && !hasPages(report);

const isUncounted = (report: JobReport, expected: ExpectedOutput | undefined): boolean =>
  saysNone(report) || (isShort({ report, expected }) && !countsDocuments(report));

const hasPages = ({ impressionsCompleted = 0, sheetsCompleted = 0 }: JobReport): boolean =>
  impressionsCompleted + sheetsCompleted > 0;

/** The printer has been up since before it made the job. */
const livesOn = ({ marked }: JobRecord, { upTime }: PrinterLook): boolean =>
  upTime !== undefined && marked.isSameLife(upTime) === true;

const letGo = ({ last }: JobRecord, how: NonNullable<JobReport['letGo']>): JobReport => ({
  ...(last ?? { state: 'processing', reasons: [] }),
  letGo: how,
});

const newRun = (job: PrinterJob, known: Pick<Run, 'record' | 'options' | 'contact'>): Run => ({
  ...{ job, ...known },
  ...{ away: 0, isAway: false, isStanding: false, unmoved: 0, quiet: 0, lookedAt: 0, over: 0 },
  ...{ obstacles: [], queue: '', seen: new Set<string>(), begunAt: undefined },
});

const nobody = (): void => {};

/** Whether a follower's end says only that the job cannot be told from others, or not at all. */
export const cannotTell = (error: unknown): boolean => isProblem(error, 'outcome-unknown');
