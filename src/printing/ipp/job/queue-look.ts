/** The jobs before ours, as a text that changes whenever they move (RFC 8011 section 4.2.6, Get-Jobs). */
import type { CallOptions } from '../../../domain/ports/call.ts';
import type { PrinterJob } from '../../../domain/ports/printing.ts';
import { attribute, groups, integer } from '../../../ipp/message.ts';
import { integer as integerValue, keyword } from '../../../ipp/values.ts';
import type { IppClient } from '../wire/ipp-client.ts';
import { agreed } from '../wire/refusal.ts';

/** Rejects if the printer does not tell. */
export type QueueLook = (job: PrinterJob, options: CallOptions) => Promise<string>;

const moves = ['job-id', 'job-state', 'job-impressions-completed', 'job-k-octets-processed'] as const;
/** A job behind more than these waits for long anyway, and its progress is seen when it comes nearer. */
const longestList = 100;

export const queueLook =
  (client: IppClient): QueueLook =>
  async (job, options) => {
    const request = {
      operation: 'Get-Jobs',
      userName: job.marks?.userName,
      attributes: [
        attribute('limit', integerValue(longestList)),
        attribute('requested-attributes', ...moves.map(keyword)),
        attribute('which-jobs', keyword('not-completed')),
      ],
    } as const;
    const listed = groups(agreed(await client.ask(request, options)), 'job-attributes');
    // In the order of printing.
    const ours = listed.findIndex(({ attributes }) => integer(attributes, 'job-id') === job.jobId);
    const before = ours < 0 ? listed : listed.slice(0, ours);
    return JSON.stringify(before.map(({ attributes }) => moves.map((name) => integer(attributes, name))));
  };
