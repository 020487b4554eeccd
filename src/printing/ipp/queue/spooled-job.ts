/**
 * A job of ours at a spooler: as a queue of CUPS shows it, as `spooler-vigil.ts` guards it, and what is asked about
 * it. Once CUPS has begun it, its counters show what the filters counted, not what came out: an unchanged document
 * counts as one page before the printer has taken a byte. Before that they are 0, and nothing came out. A job that is
 * begun a second time is printed again (INVARIANTS.md D15). CUPS gives the time of beginning in seconds; only
 * `spooler-vigil.ts` notices a restart within the first second.
 */
import type { Clock } from '../../../core/clock.ts';
import { milliseconds, seconds } from '../../../core/duration.ts';
import type { CallOptions } from '../../../domain/ports/call.ts';
import type { PrinterJob } from '../../../domain/ports/printing.ts';
import { Problem } from '../../../domain/problem/problem.ts';
import { hasEnded } from '../../../domain/release.ts';
import type { Message } from '../../../ipp/message.ts';
import { attribute, boolean, group, valuesOf } from '../../../ipp/message.ts';
import { boolean as yes, keyword } from '../../../ipp/values.ts';
import { cancelLimit, leastIdleLimit } from '../../timings.ts';
import { isKnownAs } from '../job/job-marks.ts';
import type { JobReading, JobSight } from '../job/job-sight.ts';
import { printersJob } from '../job/job-sight.ts';
import type { IppClient } from '../wire/ipp-client.ts';
import { pollsUntil } from '../wire/polls.ts';
import { agreed } from '../wire/refusal.ts';
import type { Absence } from './spooler-link.ts';

export const spooledJob: JobReading = {
  attributes: [...printersJob.attributes, 'job-preserved'],
  sight,
};

function sight(answer: Message): JobSight {
  const seen = printersJob.sight(answer);
  const attributes = group(answer, 'job-attributes');
  const [begun] = valuesOf(attributes, 'time-at-processing');
  // A job that was cancelled before it began keeps its document too.
  const keepsDocument = boolean(attributes, 'job-preserved') ?? false;
  const { state } = seen.report;
  // CUPS 2.4 names this reason for every ended job, even if it came out.
  const reasons = hasEnded(seen.report)
    ? seen.report.reasons.filter((reason) => reason !== 'processing-to-stop-point')
    : seen.report.reasons;
  if (begun?.tag === 'no-value') {
    return { ...seen, report: { ...seen.report, reasons, hasBegun: false }, keepsDocument };
  }
  return {
    ...seen,
    report: { state, reasons },
    ...(begun?.tag === 'integer'
      ? { begunAt: begun.integer, waitsAgain: state === 'pending' || state === 'pending-held' }
      : {}),
    keepsDocument,
  };
}

export interface Guarded {
  readonly job: PrinterJob;
  /** Aborted with the problem that describes the fault. */
  readonly stopped: AbortController;
  /** time-at-processing, and the monotonic time at which it was first seen. */
  begun?: { readonly at: number; readonly seenAt: number };
  /** The spooler has gone since, and the job was not checked yet. */
  isLost: boolean;
}

/** CUPS gives the time of beginning in whole seconds. */
const tick = seconds(1);

/**
 * A job of ours at a spooler, as `spooler-vigil.ts` guards it; and whether a job after a return is still the same
 * printing. If the job was seen being printed for longer than one tick, its time of beginning decides. Otherwise an
 * end of the connection counts as a restart, unless the connection may have been idle too long.
 */
export function isAnother(
  seen: JobSight,
  { begun }: Guarded,
  { since, stood, wasRefused }: Absence,
): boolean {
  if (seen.waitsAgain) return true;
  if (begun && begun.at !== seen.begunAt) return true;
  if (begun && milliseconds(since - begun.seenAt) > tick) return false;
  return wasRefused || stood < leastIdleLimit;
}

export interface SpoolerErrands {
  /** Rejects with `outcome-unknown` if there is no such job, or it does not show that it is ours. */
  see(job: PrinterJob, call: CallOptions): Promise<JobSight>;
  /** Ends the job at once and removes its document; also for a job that has ended. */
  purge(job: PrinterJob, call: CallOptions): Promise<void>;
  /** Resolves when the job has ended, or after 15 s; rejects as `see` does. */
  untilEnded(job: PrinterJob, call: CallOptions): Promise<void>;
}

/**
 * The requests to a spooler about one job of ours: its state, and its purging. They go out under the job's user name,
 * because CUPS hides jobs from other users and lets no other user end them.
 */
export function spoolerErrands({
  client,
  clock,
}: {
  readonly client: IppClient;
  readonly clock: Clock;
}): SpoolerErrands {
  const wanted = attribute('requested-attributes', ...spooledJob.attributes.map(keyword));

  async function see(job: PrinterJob, call: CallOptions): Promise<JobSight> {
    const { jobId } = job;
    const request = {
      operation: 'Get-Job-Attributes',
      jobId,
      userName: job.marks?.userName,
      attributes: [wanted],
    } as const;
    const seen = spooledJob.sight(await client.ask(request, call));
    // A restarted spooler reuses ids that were not on its disk. If the name is hidden from us, the job belongs to
    // another user.
    if (!isKnownAs(seen.shown, job)) {
      throw new Problem('outcome-unknown', 'the job-id belongs to another job by now');
    }
    return seen;
  }

  /** Without `purge-job` the document of a cancelled job may stay in the spool. */
  async function purge(job: PrinterJob, call: CallOptions): Promise<void> {
    const { jobId } = job;
    const attributes = [attribute('purge-job', yes(true))];
    agreed(
      await client.ask({ operation: 'Cancel-Job', jobId, userName: job.marks?.userName, attributes }, call),
    );
  }

  async function untilEnded(job: PrinterJob, { signal }: CallOptions): Promise<void> {
    const limited = { signal: clock.deadline(cancelLimit, signal) };
    for await (const _ of pollsUntil(limited.signal, clock)) {
      if (hasEnded((await see(job, limited)).report)) return;
    }
  }

  return { see, purge, untilEnded };
}
