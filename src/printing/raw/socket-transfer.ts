/**
 * The one time a document's bytes go to a raw printer: envelope and document, in the order they belong, until the
 * printer has told the job's end, or has closed. Breaks off when nothing moves for the stall time.
 */
import { awakeTime } from '../../core/awake.ts';
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { inSeconds, longest, milliseconds, shortest } from '../../core/duration.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { PrintingOptions, SpooledDocument } from '../../domain/ports/printing.ts';
import { asProblem, Problem } from '../../domain/problem/problem.ts';
import type { ExpectedOutput, JobReport } from '../../domain/release.ts';
import { pjlEar } from './pjl-messages.ts';
import type { PjlJob } from './pjl-job.ts';
import type { Envelope } from './pjl.ts';
import { tellingOff } from './pjl.ts';
import type { SocketConnection } from './socket-connection.ts';
import type { JobStall } from '../job-patience.ts';
import { patienceFor } from '../job-patience.ts';
import { inquiryLimit, longestTransferLook, transferLook } from '../timings.ts';

export interface SocketTransfer {
  readonly connection: SocketConnection;
  readonly envelope: Envelope;
  readonly document: SpooledDocument;
  /** What the printer is to tell of; absent: nobody listens. */
  readonly job: PjlJob | undefined;
  /** Otherwise it is given a moment only to say its first word. */
  readonly isKnownToTalk: boolean;
  /** The question of the envelope was given, and answered. */
  readonly isAsked: boolean;
  readonly onFirstByte: (() => void) | undefined;
  readonly onProgress: (() => void) | undefined;
  readonly onPages: PrintingOptions['onPages'];
  readonly expected: ExpectedOutput | undefined;
}

/** Small, so that a slow printer is seen to move. */
const sliceOctets = 16 * 1024;

/**
 * Closes the connection in the end. Resolves with the printer's word on the job, or `undefined`: it took everything and
 * closed in order. Rejects with delivery `not-sent` when no byte of it was given to the kernel, otherwise with
 * `printer-stalled`, `transfer-broken` or the spool's own problem, and delivery `perhaps` (reliability.md B.1). A time in
 * which nothing of ours ran is nobody's silence.
 */
export async function transferBytes(
  { clock, stall, jobStall }: { clock: Clock; stall: Duration; jobStall: JobStall },
  transfer: SocketTransfer,
  { signal }: CallOptions,
): Promise<JobReport | undefined> {
  const { connection, job, isKnownToTalk, onProgress, onPages } = transfer;
  const stop = new AbortController();
  const together = { signal: AbortSignal.any([signal, stop.signal]) };
  const told = Promise.withResolvers<void>();
  let begunAt: number | undefined;
  let isListening = false;
  let isAllGiven = false;
  const time = awakeTime(clock, longestTransferLook);
  let movedAt = time();
  const givenBefore = connection.given();

  const ear = pjlEar((message) => {
    if (job?.hear(message) === 'moves') {
      movedAt = time();
      onProgress?.();
      if (message.kind === 'page') hearPages();
    }
    if (job?.report()) told.resolve();
  });
  if (job) connection.listen(ear.hear);

  function hearPages(): void {
    ear.refill();
    const pages = job?.pages() ?? 0;
    if (pages > 0) onPages?.(pages);
  }

  async function give(octets: Buffer): Promise<void> {
    together.signal.throwIfAborted();
    await connection.write(octets);
    movedAt = time();
    onProgress?.();
    if (begunAt === undefined) transfer.onFirstByte?.();
    begunAt ??= movedAt;
  }

  async function pass(): Promise<JobReport | undefined> {
    for await (const slice of slices(transfer)) await give(slice);
    job?.allGiven();
    if (transfer.envelope.tail.length > 0) await give(transfer.envelope.tail);
    isAllGiven = true;
    if (job) {
      isListening = true;
      const isOver = [told.promise, connection.ended()];
      // The question in the envelope is answered at once, or never.
      if (!isKnownToTalk) await Promise.race([...isOver, clock.sleep(firstWordIn(), together)]);
      if (isKnownToTalk || job.hasSpoken()) await Promise.race(isOver);
      isListening = false;
      if (job.report()) return leave(job);
    }
    await connection.finish();
    ear.end();
    return job?.lastWord();
  }

  const firstWordIn = () => longest(milliseconds((begunAt ?? 0) + inquiryLimit - time()), milliseconds(0));

  /** The printer has said what it had to say: how the connection ends changes nothing. */
  async function leave({ report }: PjlJob): Promise<JobReport | undefined> {
    const ending = connection.write(tellingOff).then(() => connection.finish());
    await Promise.race([ending.catch(() => {}), clock.sleep(inquiryLimit, together)]);
    return report();
  }

  /**
   * All is given: most printers count late or never, and some close when the last page is out. With one at work, as far as
   * anybody can tell, and nothing that hinders it, a job is waited for as at any other printer.
   */
  function patience(): Duration {
    if (isListening) {
      const isAtWork = job?.hasBegun() && !job.isCancelled();
      return isAtWork && job?.obstacles().length === 0 ? ofJob() : stall;
    }
    return isAllGiven && !job?.hasSpoken() ? ofJob() : stall;
  }

  const ofJob = () => longest(stall, patienceFor(jobStall, transfer.expected));

  async function watch(): Promise<never> {
    for (;;) {
      const still = time() - movedAt;
      const left = milliseconds(patience() - still);
      if (left > 0) {
        // It is at work as far as anybody can tell.
        if (still > stall) onProgress?.();
        await clock.sleep(shortest(left, transferLook), together);
      } else if (isListening && (job?.isCancelled() || !job?.hasBegun())) {
        // It will say no more of this job, and may yet close in order.
        movedAt = time();
        told.resolve();
      } else {
        throw new Problem('printer-stalled', `the printer did not move for ${inSeconds(patience())} s`, {
          reasons: job?.obstacles() ?? [],
        });
      }
    }
  }

  const passing = pass();
  const watching = watch();
  try {
    return await Promise.race([passing, watching]);
  } catch (cause) {
    throw connection.given() > givenBefore ? unknownEnd(cause) : nothingSent(cause);
  } finally {
    stop.abort();
    connection.close();
    await Promise.allSettled([passing, watching]);
  }
}

async function* slices({ envelope, document, isAsked }: SocketTransfer): AsyncGenerator<Buffer> {
  const head = isAsked ? envelope.head : Buffer.concat([envelope.question, envelope.head]);
  if (head.length > 0) yield head;
  for await (const block of document.read() as AsyncIterable<Buffer>) {
    for (let at = 0; at < block.length; at += sliceOctets) yield block.subarray(at, at + sliceOctets);
  }
}

function unknownEnd(cause: unknown): Problem {
  const { code, message, reasons } = asProblem(
    cause,
    'transfer-broken',
    'the connection to the printer broke',
  );
  return new Problem(code, message, { cause, delivery: 'perhaps', reasons });
}

function nothingSent(cause: unknown): Problem {
  const { code } = asProblem(cause, 'printer-unreachable', 'the connection to the printer broke');
  return new Problem(code, 'the document was not sent', { cause, delivery: 'not-sent' });
}
