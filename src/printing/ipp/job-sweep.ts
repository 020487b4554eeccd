/**
 * Ends what a Create-Job without an answer may have left: jobs of one job-name that have not ended, found by Get-Jobs
 * (RFC 8011 section 4.2.6). Asked for without `my-jobs`, because after a restart nobody knows under whose name the job
 * was made.
 */
import type { Clock } from '../../core/clock.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import { asProblem, Problem } from '../../domain/problem.ts';
import { attribute, groups, integer, string } from '../../ipp/message.ts';
import { keyword } from '../../ipp/values.ts';
import type { IppClient } from './ipp-client.ts';
import { isOurs } from './job-sight.ts';
import { pollsUntil } from './polls.ts';
import { agreed } from './refusal.ts';
import { sweepLimit } from '../timings.ts';

/** Resolves when the printer lists no such job any more; rejects when it could not say so in 30 s. */
export async function sweepJobs(
  { client, clock }: { client: IppClient; clock: Clock },
  jobName: string,
  { signal }: CallOptions,
): Promise<void> {
  const limited = { signal: clock.deadline(sweepLimit, signal) };
  let obstacle = new Problem('printer-unreachable', 'the printer still lists the job');
  for await (const _ of pollsUntil(limited.signal, clock)) {
    try {
      const left = await jobsNamed(jobName, client, limited);
      if (left.length === 0) return;
      for (const jobId of left) agreed(await client.ask({ operation: 'Cancel-Job', jobId }, limited));
    } catch (error) {
      obstacle = asProblem(error, 'printer-unreachable', 'the job could not be cancelled');
    }
  }
  signal.throwIfAborted();
  throw obstacle;
}

async function jobsNamed(
  jobName: string,
  client: IppClient,
  options: CallOptions,
): Promise<readonly number[]> {
  const request = {
    operation: 'Get-Jobs',
    attributes: [
      attribute('requested-attributes', keyword('job-id'), keyword('job-name')),
      attribute('which-jobs', keyword('not-completed')),
    ],
  } as const;
  return groups(agreed(await client.ask(request, options)), 'job-attributes').flatMap(({ attributes }) => {
    const jobId = integer(attributes, 'job-id');
    const name = string(attributes, 'job-name');
    return jobId !== undefined && name !== undefined && isOurs({ jobName: name }, { jobName }) ? [jobId] : [];
  });
}
