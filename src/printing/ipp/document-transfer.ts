/**
 * Send-Document (RFC 8011 section 4.3.1): the one time a document's bytes go to the printer. Ends when the printer
 * answers, or when it has ended the job without an answer; breaks off when it takes no byte for the stall time, or when
 * a document that is still coming in keeps it waiting for too long.
 */
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { inSeconds, milliseconds, shortest } from '../../core/duration.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { PrinterJob, PrintingOptions, SpooledDocument } from '../../domain/ports/printing.ts';
import { asProblem, Problem } from '../../domain/problem.ts';
import { attribute } from '../../ipp/message.ts';
import { boolean, keyword, mimeMediaType, nameWithoutLanguage } from '../../ipp/values.ts';
import type { IppClient } from './ipp-client.ts';
import type { IppJobPlan } from './job-plan.ts';
import type { JobWatch } from './job-watch.ts';
import { refusalOf } from './refusal.ts';
import { hungerLimit, transferLook } from '../timings.ts';

export interface Transfer {
  readonly job: PrinterJob;
  readonly plan: IppJobPlan;
  readonly document: SpooledDocument;
  /** How the document is packed. */
  readonly compression?: 'gzip' | undefined;
  readonly onFirstByte: (() => void) | undefined;
  readonly onProgress: (() => void) | undefined;
  readonly onPages: PrintingOptions['onPages'];
}

/** How far the document has come. */
interface Progress {
  /** A byte may have left: from now on nothing is certain before the printer says so. */
  hasBegun: boolean;
  /** Octets the socket has taken. */
  taken: number;
  /** Monotonic time of the last of them, or of the moment when there were more to take. */
  takenAt: number;
  /** Monotonic time since when there is no octet to take: the download is behind. */
  hungrySince: number | undefined;
}

/**
 * Rejects with delivery `not-sent` when not one document byte went out; otherwise `printer-stalled`,
 * `transfer-broken`, or the printer's refusal, with delivery `perhaps`.
 */
export async function transferDocument(
  parts: { client: IppClient; watch: JobWatch; clock: Clock; stall: Duration },
  transfer: Transfer,
  { signal }: CallOptions,
): Promise<void> {
  const { clock, client, watch, stall } = parts;
  const { document, job, onProgress, onPages } = transfer;
  const progress: Progress = {
    hasBegun: false,
    taken: 0,
    takenAt: clock.monotonic(),
    hungrySince: undefined,
  };
  const stop = new AbortController();
  const together = { signal: AbortSignal.any([signal, stop.signal]) };

  async function stallOrEnd(): Promise<undefined> {
    while (progress.taken < document.length) {
      const { takenAt, hungrySince } = progress;
      const end = hungrySince === undefined ? takenAt + stall : hungrySince + hungerLimit;
      const left = milliseconds(end - clock.monotonic());
      if (left <= 0) throw hungrySince === undefined ? stalled(stall) : hungry();
      await clock.sleep(shortest(left, transferLook), together);
    }
    // All is with the network; while the answer is out, the job itself shows whether the printer moves.
    await watch.follow(job, stall, { ...together, onProgress, onPages });
  }

  const bytes = { length: document.length, bytes: measured(transfer, progress, clock) };
  const answered = client.sendDocument(requestFor(transfer), bytes, together);
  const watched = stallOrEnd();
  let fault: unknown;
  try {
    const answer = await Promise.race([answered, watched]);
    fault = answer && refusalOf(answer);
    if (!fault && progress.taken === document.length) return;
    fault ??= new Problem('transfer-broken', 'the printer answered before it had taken the document');
  } catch (error) {
    fault = error;
  } finally {
    stop.abort();
    await Promise.allSettled([answered, watched]);
  }
  throw brokenOff(fault, progress);
}

const requestFor = ({ job, plan, compression }: Transfer) =>
  ({
    operation: 'Send-Document',
    jobId: job.jobId,
    userName: plan.userName,
    attributes: [
      attribute('document-name', nameWithoutLanguage(plan.documentName)),
      attribute('document-format', mimeMediaType(plan.format)),
      ...(compression ? [attribute('compression', keyword(compression))] : []),
      attribute('last-document', boolean(true)),
    ],
  }) as const;

/** A generator is resumed when what it gave was handed to the socket. */
async function* measured({ document, onFirstByte, onProgress }: Transfer, progress: Progress, clock: Clock) {
  progress.hungrySince = clock.monotonic();
  for await (const chunk of octetsOf(document)) {
    progress.hasBegun = true;
    progress.hungrySince = undefined;
    progress.takenAt = clock.monotonic();
    yield chunk;
    if (progress.taken === 0) onFirstByte?.();
    progress.taken += chunk.length;
    onProgress?.();
    progress.takenAt = clock.monotonic();
    progress.hungrySince = progress.takenAt;
  }
}

/** Whoever waits for the printer is told of the transfer; why the document did not come is the cause of that. */
async function* octetsOf(document: SpooledDocument): AsyncGenerator<Buffer> {
  try {
    yield* document.read() as AsyncIterable<Buffer>;
  } catch (cause) {
    const { code, delivery, message } = asProblem(cause, 'document-cut', 'the document stopped coming in');
    const isOurs = code === 'spool-failed' || code === 'spool-full';
    throw new Problem(code, message, { cause, delivery: isOurs ? delivery : 'perhaps' });
  }
}

const stalled = (stall: Duration): Problem =>
  new Problem('printer-stalled', `the printer took no byte for ${inSeconds(stall)} s`);

const hungry = (): Problem =>
  new Problem('document-cut', `the printer was kept waiting for ${inSeconds(hungerLimit)} s`, {
    delivery: 'perhaps',
  });

/** What the printer said, or our own finding, keeps its code; a fault of the transport says nothing of the page. */
function brokenOff(cause: unknown, { hasBegun }: Progress): Problem {
  const known = asProblem(cause, 'printer-unreachable', 'the printer could not be asked');
  const { reasons } = known;
  if (!hasBegun) {
    return new Problem(known.code, 'the document was not sent', { cause, delivery: 'not-sent', reasons });
  }
  const code = known.delivery === 'answered' ? known.code : 'transfer-broken';
  return new Problem(code, 'the transfer of the document broke off', { cause, delivery: 'perhaps', reasons });
}
