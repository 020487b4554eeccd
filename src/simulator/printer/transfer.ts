/** Receives a document in a virtual printer, and settles the job if the transfer breaks. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Status } from '../../ipp/status.ts';
import type { PrinterContext } from './context.ts';
import type { Job } from './jobs.ts';
import type { Transfer } from './outputs.ts';
import { takeIn } from './outputs.ts';

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
