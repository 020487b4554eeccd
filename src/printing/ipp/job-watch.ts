/**
 * What becomes of a job: polls Get-Job-Attributes (RFC 8011 section 4.3.4) until it has ended, or nothing moves, or
 * the printer is gone for good; and cancels it. Reports, never judges: that is `domain/release.ts`.
 */
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { inSeconds, milliseconds } from '../../core/duration.ts';
import type { Log } from '../../core/log.ts';
import { waits } from '../../core/retry-schedule.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { FollowOptions, PrinterJob } from '../../domain/ports/printing.ts';
import { asProblem, isProblem, Problem } from '../../domain/problem.ts';
import type { JobReport } from '../../domain/release.ts';
import { hasEnded } from '../../domain/release.ts';
import { attribute } from '../../ipp/message.ts';
import { keyword } from '../../ipp/values.ts';
import type { IppClient } from './ipp-client.ts';
import type { JobReading, JobSight } from './job-sight.ts';
import { isOurs } from './job-sight.ts';
import { pollsUntil } from './polls.ts';
import { agreed } from './refusal.ts';
import { cancelLimit, jobPolls, unreachableLimit } from '../timings.ts';

export interface JobWatch {
  /**
   * Resolves with the end state. Rejects `printer-stalled` when nothing changes for the printer's stall time,
   * `printer-unreachable` after 10 minutes without an answer, `outcome-unknown` when the printer does not know the
   * job. A printer that counts nothing while it processes may be silent for `silence`, unless it needs attention.
   */
  follow(job: PrinterJob, silence: Duration, options: FollowOptions): Promise<JobReport>;
  /** The end state, reached within 15 s; `undefined` when the printer cannot say, or the job is not ours. */
  cancel(job: PrinterJob, options: CallOptions): Promise<JobReport | undefined>;
}

export function jobWatch(parts: {
  client: IppClient;
  clock: Clock;
  log: Log;
  stall: Duration;
  userOf: (job: PrinterJob) => string;
  /** printer-state-reasons that keep a page from coming out. */
  obstacles: (options: CallOptions) => Promise<readonly string[]>;
  reading: JobReading;
}): JobWatch {
  const { client, clock, log, stall, userOf, obstacles, reading } = parts;
  const wanted = attribute('requested-attributes', ...reading.attributes.map(keyword));

  /** The last report with pages in it. */
  const counted = new WeakMap<PrinterJob, JobReport>();

  async function see(job: PrinterJob, options: CallOptions): Promise<JobSight> {
    const request = {
      operation: 'Get-Job-Attributes',
      jobId: job.jobId,
      userName: userOf(job),
      attributes: [wanted],
    } as const;
    const sight = reading.sight(await client.ask(request, options));
    if (!isOurs(sight, job)) throw new Problem('outcome-unknown', 'the job-id belongs to another job by now');
    return remembering(job, sight);
  }

  /** A page that was counted came out, also where a printer forgets that as it cancels the job (I1, I11). */
  function remembering(job: PrinterJob, sight: JobSight): JobSight {
    const { state, reasons, impressionsCompleted = 0, sheetsCompleted = 0 } = sight.report;
    if (state === 'completed') return sight;
    if (impressionsCompleted + sheetsCompleted > 0) counted.set(job, sight.report);
    const last = counted.get(job);
    return last ? { ...sight, report: { ...last, state, reasons } } : sight;
  }

  async function follow(job: PrinterJob, silence: Duration, options: FollowOptions): Promise<JobReport> {
    const { signal, onProgress, onPages, onStanding } = options;
    const pauses = waits(jobPolls);
    let lastAnswer = clock.monotonic();
    let lastChange = lastAnswer;
    let fingerprint = '';
    let wasGone = false;
    let begunAt: number | undefined;
    for (;;) {
      try {
        const sight = await see(job, { signal });
        const isBegunAgain = begunAt !== undefined && sight.begunAt !== begunAt;
        if (isBegunAgain || sight.waitsAgain) await stopAnother(job, { signal });
        ({ begunAt } = sight);
        if (hasEnded(sight.report)) {
          if (sight.keepsDocument) log.warn('spooler keeps the document', { jobId: job.jobId });
          return sight.report;
        }
        const now = clock.monotonic();
        if (wasGone) lastChange += now - lastAnswer;
        const { state, impressionsCompleted } = sight.report;
        if (impressionsCompleted !== undefined) onPages?.(impressionsCompleted);
        const isStanding = state === 'processing-stopped';
        if (isStanding) onStanding?.();
        if (sight.fingerprint !== fingerprint) {
          lastChange = now;
          if (!isStanding) onProgress?.();
        }
        ({ fingerprint } = sight);
        lastAnswer = now;
        wasGone = false;
        await checkProgress(sight, milliseconds(now - lastChange), silence, options);
      } catch (error) {
        signal.throwIfAborted();
        if (isProblem(error, 'outcome-unknown', 'printer-stalled')) throw error;
        // What was not seen is not held against the job, until it is too long.
        wasGone = true;
        if (clock.monotonic() - lastAnswer > unreachableLimit) {
          throw new Problem('printer-unreachable', 'the printer is gone since it took the document', {
            cause: error,
          });
        }
      }
      await clock.sleep(pauses.next().value, { signal });
    }
  }

  /** A spooler prints it once more from its start: after its restart, or by its queue's error policy. */
  async function stopAnother(job: PrinterJob, options: CallOptions): Promise<never> {
    await cancel(job, options);
    throw new Problem('outcome-unknown', 'the spooler was going to print the job again');
  }

  async function checkProgress(
    { report, countsNothing }: JobSight,
    still: Duration,
    silence: Duration,
    { signal, onProgress }: FollowOptions,
  ): Promise<void> {
    if (still <= stall) return;
    const inTheWay = await obstacles({ signal });
    // It is at work as far as anybody can tell.
    if (countsNothing && still <= silence && inTheWay.length === 0) return onProgress?.();
    throw new Problem('printer-stalled', `the job has been ${report.state} for ${inSeconds(stall)} s`, {
      reasons: [...report.reasons, ...inTheWay],
    });
  }

  async function cancel(job: PrinterJob, { signal }: CallOptions): Promise<JobReport | undefined> {
    const limited = { signal: clock.deadline(cancelLimit, signal) };
    let isAsked = false;
    for await (const _ of pollsUntil(limited.signal, clock)) {
      try {
        const { report } = await see(job, limited);
        if (hasEnded(report)) return report;
        if (!isAsked) agreed(await client.ask(cancelRequest(job), limited));
        isAsked = true;
      } catch (error) {
        if (isProblem(error, 'outcome-unknown')) return undefined;
        const problem = asProblem(error, 'printer-unreachable', 'the job could not be cancelled');
        log.debug('job not cancelled yet', { jobId: job.jobId, error: problem });
      }
    }
    signal.throwIfAborted();
    return undefined;
  }

  const cancelRequest = (job: PrinterJob) =>
    ({ operation: 'Cancel-Job', jobId: job.jobId, userName: userOf(job) }) as const;

  return { follow, cancel };
}
