/**
 * Closes jobs to which documents could be added: by the last document, by a Send-Document without a document (RFC 8011
 * section 4.3.1), or by Close-Job (PWG 5100.11). Cancel-My-Jobs is here too.
 */
import type { Status } from '../../../ipp/status.ts';
import { integers, string } from '../../../ipp/message.ts';
import type { CheckedRequest } from '../check.ts';
import type { PrinterContext } from '../context.ts';
import type { Job } from '../jobs.ts';
import { hasEnded } from '../jobs.ts';
import { isForgotten } from '../refusals.ts';
import type { IncomingDocument } from '../transfer.ts';

export function closeJob({ jobs, news }: PrinterContext, job: Job): Status {
  if (hasEnded(job)) return 'client-error-not-possible';
  if (!job.isOpen) return 'successful-ok';
  job.isOpen = false;
  if (job.document === undefined) jobs.end(job, 'aborted', 'aborted-by-system');
  else job.reasons = ['none'];
  news.tell(`job ${job.id}: “${job.name}” is closed`);
  return 'successful-ok';
}

/** Whether the request only closes a job that already has its document. */
export async function isMereClosing(job: Job, { chunks }: IncomingDocument): Promise<boolean> {
  if (!job.isOpen || job.transfer !== 'over') return false;
  return (await chunks.next()).done === true;
}

/** Cancels all of them. If one of the named jobs cannot be canceled, none is. */
export function cancelJobsOf(context: PrinterContext, { attributes }: CheckedRequest): Status {
  const { jobs, news } = context;
  const user = string(attributes, 'requesting-user-name');
  const named = integers(attributes, 'job-ids');
  const wanted =
    named.length > 0
      ? named.map((id) => jobs.find(id))
      : jobs.list.filter((job) => job.userName === user && !hasEnded(job));
  for (const job of wanted) {
    if (job === undefined || isForgotten(context, job.id)) return 'client-error-not-found';
    if (job.userName !== user) return 'client-error-not-authorized';
    if (hasEnded(job)) return 'client-error-not-possible';
  }
  for (const job of wanted) {
    if (job === undefined) continue;
    jobs.end(job, 'canceled', 'job-canceled-by-user');
    news.tell(`job ${job.id}: “${job.name}” is canceled`);
  }
  return 'successful-ok';
}
