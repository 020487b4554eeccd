/**
 * The requests of `spooler-vigil.ts` to a spooler about one job of ours: its state, and its purging. They go out under
 * the job's user name, because CUPS hides jobs from other users and lets no other user end them.
 */
import type { Clock } from '../../../core/clock.ts';
import type { CallOptions } from '../../../domain/ports/call.ts';
import type { PrinterJob } from '../../../domain/ports/printing.ts';
import { Problem } from '../../../domain/problem/problem.ts';
import { hasEnded } from '../../../domain/release.ts';
import { attribute } from '../../../ipp/message.ts';
import { boolean, keyword } from '../../../ipp/values.ts';
import type { IppClient } from '../wire/ipp-client.ts';
import type { JobSight } from '../job/job-sight.ts';
import { isKnownAs } from '../job/job-marks.ts';
import { pollsUntil } from '../wire/polls.ts';
import { agreed } from '../wire/refusal.ts';
import { spooledJob } from './spooled-job.ts';
import { cancelLimit } from '../../timings.ts';

export interface SpoolerErrands {
  /** Rejects with `outcome-unknown` if there is no such job, or it does not show that it is ours. */
  see(job: PrinterJob, call: CallOptions): Promise<JobSight>;
  /** Ends the job at once and removes its document; also for a job that has ended. */
  purge(job: PrinterJob, call: CallOptions): Promise<void>;
  /** Resolves when the job has ended, or after 15 s; rejects as `see` does. */
  untilEnded(job: PrinterJob, call: CallOptions): Promise<void>;
}

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
    const attributes = [attribute('purge-job', boolean(true))];
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
