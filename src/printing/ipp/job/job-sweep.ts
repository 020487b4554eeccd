/**
 * Finds jobs by the release's short id in their job-name, if the request that made them was never answered (Get-Jobs,
 * RFC 8011 section 4.2.6). It ends jobs that a Create-Job may have left. It does not ask for `my-jobs`, because after a
 * restart the job's user name is unknown.
 */
import type { Clock } from '../../../core/clock.ts';
import type { CallOptions } from '../../../domain/ports/call.ts';
import type { LeftJob, PrinterJob } from '../../../domain/ports/printing.ts';
import { asProblem, Problem } from '../../../domain/problem/problem.ts';
import { attribute, groups, string } from '../../../ipp/message.ts';
import { keyword } from '../../../ipp/values.ts';
import type { IppClient } from '../wire/ipp-client.ts';
import { isNamedAs } from './job-marks.ts';
import { shownMarks } from './job-sight.ts';
import { pollsUntil } from '../wire/polls.ts';
import { agreed } from '../wire/refusal.ts';
import { sweepLimit } from '../../timings.ts';

interface JobSweepDeps {
  readonly client: IppClient;
  readonly clock: Clock;
}

/** Resolves when the printer lists no such job any more; rejects if the printer could not tell that within 30 s. */
export async function sweepJobs(
  { client, clock }: JobSweepDeps,
  left: LeftJob,
  { signal }: CallOptions,
): Promise<void> {
  const limited = { signal: clock.deadline(sweepLimit, signal) };
  const { userName } = left;
  let obstacle = new Problem('printer-unreachable', 'the printer still lists the job');
  for await (const _ of pollsUntil(limited.signal, clock)) {
    try {
      const jobs = await jobsNamed(left, client, { ...limited, which: 'not-completed' });
      if (jobs.length === 0) return;
      for (const { jobId } of jobs)
        agreed(await client.ask({ operation: 'Cancel-Job', jobId, userName }, limited));
    } catch (error) {
      obstacle = asProblem(error, 'printer-unreachable', 'the job could not be cancelled');
    }
  }
  signal.throwIfAborted();
  throw obstacle;
}

/** The job that a Print-Job made, ended or not; rejects if the printer could not tell that within 30 s. */
export async function findJob(
  { client, clock }: JobSweepDeps,
  left: LeftJob,
  { signal }: CallOptions,
): Promise<PrinterJob | undefined> {
  const limited = { signal: clock.deadline(sweepLimit, signal) };
  let obstacle = new Problem('printer-unreachable', 'the printer did not list its jobs');
  for await (const _ of pollsUntil(limited.signal, clock)) {
    try {
      for (const which of ['not-completed', 'completed'] as const) {
        const [found] = await jobsNamed(left, client, { ...limited, which });
        if (found) return found;
      }
      return undefined;
    } catch (error) {
      obstacle = asProblem(error, 'printer-unreachable', 'the printer could not be asked for its jobs');
    }
  }
  signal.throwIfAborted();
  throw obstacle;
}

const wanted = ['job-id', 'job-uri', 'job-name', 'job-uuid', 'time-at-creation'];

async function jobsNamed(
  { jobName, userName }: LeftJob,
  client: IppClient,
  { signal, which }: CallOptions & { readonly which: 'completed' | 'not-completed' },
): Promise<readonly PrinterJob[]> {
  const request = {
    operation: 'Get-Jobs',
    userName,
    attributes: [
      attribute('requested-attributes', ...wanted.map(keyword)),
      attribute('which-jobs', keyword(which)),
    ],
  } as const;
  return groups(agreed(await client.ask(request, { signal })), 'job-attributes').flatMap(({ attributes }) => {
    const { jobId, jobName: shownName, uuid, createdAt } = shownMarks(attributes);
    // It may be ours: a job that cannot be distinguished may not be ignored.
    if (jobId === undefined && attributes.length > 0) {
      throw new Problem('printer-protocol', 'the printer lists a job without a job-id');
    }
    if (jobId === undefined || shownName === undefined || !isNamedAs(shownName, jobName)) return [];
    const jobUri = string(attributes, 'job-uri') ?? '';
    return [{ jobId, jobUri, jobName, marks: { userName, uuid, shownName, createdAt } }];
  });
}
