/**
 * Receives the documents of a job in a virtual printer. It settles the job if the transfer breaks, and closes it
 * after the last document.
 */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { integers, string } from '../../ipp/message.ts';
import type { Status } from '../../ipp/registry.ts';
import type { CheckedRequest } from './check.ts';
import type { PrinterContext } from './context.ts';
import type { Job } from './jobs.ts';
import { hasEnded } from './jobs.ts';
import type { Transfer } from './outputs.ts';
import { takeIn } from './outputs.ts';
import { isForgotten } from './refusals.ts';

/** The part of the request body after the IPP message. */
export interface IncomingDocument {
  readonly request: IncomingMessage;
  readonly chunks: AsyncIterator<Buffer>;
}

/** Unpacks a gzip document. Invalid gzip data counts as a broken transfer. */
export function unzipped({ request, chunks }: IncomingDocument): IncomingDocument {
  const packed = Readable.from({ [Symbol.asyncIterator]: () => chunks });
  const plain: Readable = packed.compose(createGunzip());
  return { request, chunks: plain[Symbol.asyncIterator]() };
}

export async function receiveDocument(
  context: PrinterContext,
  job: Job,
  { request, chunks }: IncomingDocument,
): Promise<Status> {
  const { jobs, mood, news, outputs, settings } = context;
  const reset = mood.meets('reset');
  const stall = mood.meets('stop-reading');
  const stop = AbortSignal.any([job.stop.signal, context.off]);
  const mended = mood.cleared();
  const limit = reset?.afterBytes ?? stall?.afterBytes;
  job.transfer = 'under-way';
  news.changed();
  const atLimit = async (): Promise<Transfer | undefined> => {
    if (reset) {
      request.socket.resetAndDestroy();
      return 'broken';
    }
    news.tell(`job ${job.id}: reads no further than ${limit} bytes`);
    return stalled(request, { stop, mended });
  };
  const { transfer, document } = await takeIn({
    source: chunks,
    file: outputs.reserve(),
    pages: settings.pages,
    ...(limit === undefined ? {} : { limit }),
    atLimit,
    stop,
  });
  job.transfer = 'over';
  if (transfer === 'broken') news.tell(`job ${job.id}: its document broke off after ${document.bytes} bytes`);
  if (transfer === 'canceled' || stop.aborted) {
    await outputs.discard(document);
    return 'server-error-job-canceled';
  }
  const isLost = document.bytes === 0 || (transfer === 'broken' && settings.afterCut === 'discard');
  if (isLost) {
    await outputs.discard(document);
    jobs.end(job, 'aborted', 'aborted-by-system');
  } else {
    job.document = document;
    job.reasons = [job.isOpen ? 'job-incoming' : 'none'];
  }
  news.changed();
  return 'successful-ok';
}

/** Waits until the job is canceled, the sender goes, or the printer recovers and reads on. */
async function stalled(
  request: IncomingMessage,
  { stop, mended }: { stop: AbortSignal; mended: AbortSignal },
): Promise<Transfer | undefined> {
  const { promise, resolve } = Promise.withResolvers<Transfer | undefined>();
  const canceled = () => resolve('canceled');
  const broken = () => resolve('broken');
  const readsOn = () => resolve(undefined);
  stop.addEventListener('abort', canceled);
  mended.addEventListener('abort', readsOn);
  request.once('close', broken);
  try {
    return await promise;
  } finally {
    stop.removeEventListener('abort', canceled);
    mended.removeEventListener('abort', readsOn);
    request.off('close', broken);
  }
}

/**
 * Closes jobs to which documents could be added: by the last document, by a Send-Document without a document (RFC
 * 8011 section 4.3.1), or by Close-Job (PWG 5100.11). Cancel-My-Jobs is here too.
 */
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
