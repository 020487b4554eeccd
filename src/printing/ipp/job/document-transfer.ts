/**
 * Send-Document or Print-Job (RFC 8011 sections 4.3.1 and 4.2.1): the only place where a document's bytes go to the
 * printer. It ends when the printer answers, or when the job has ended without an answer. It breaks off if the printer
 * takes no byte for the stall time, or if a document that is still coming in keeps the printer waiting too long.
 */
import { awakeTime } from '../../../core/awake.ts';
import type { Clock } from '../../../core/clock.ts';
import type { Duration } from '../../../core/duration.ts';
import { inSeconds, milliseconds, shortest } from '../../../core/duration.ts';
import type { CallOptions } from '../../../domain/ports/call.ts';
import type { SpooledDocument } from '../../../domain/ports/printing.ts';
import { asProblem, Problem } from '../../../domain/problem/problem.ts';
import type { Message } from '../../../ipp/message.ts';
import type { IppClient, IppRequest } from '../wire/ipp-client.ts';
import { isRefusedUnread, refusalOf } from '../wire/refusal.ts';
import type { ByteStall } from '../../job-patience.ts';
import { bytePatience } from '../../job-patience.ts';
import { hungerLimit, longestTransferLook, transferLook } from '../../timings.ts';

export interface Transfer {
  /** Send-Document, or a Print-Job that also makes the job. */
  readonly request: IppRequest;
  readonly document: SpooledDocument;
  readonly onFirstByte: (() => void) | undefined;
  readonly onProgress: (() => void) | undefined;
  /**
   * Runs beside the wait for the answer after all bytes are sent: resolves when the job has ended without an answer,
   * rejects when the answer is no longer awaited.
   */
  readonly meanwhile: (options: CallOptions) => Promise<void>;
}

interface Progress {
  /** A byte may have left: from now on only the printer's answer is certain. */
  hasBegun: boolean;
  /** Octets that the socket has taken. */
  taken: number;
  /** When anything last moved, in milliseconds of the time in which this process ran. */
  movedAt: number;
  /** There is no octet to send: the download is behind. */
  isHungry: boolean;
}

/**
 * Resolves with the answer, or `undefined` if the job has ended without one. Rejects with delivery `not-sent` if no
 * document byte went out, and `answered` if the printer refused the document before it touched it. Otherwise it rejects
 * with `printer-stalled`, `transfer-broken` or the printer's refusal, with delivery `perhaps`. Time in which this
 * machine stood still does not count as silence.
 */
export async function transferDocument(
  parts: { client: IppClient; clock: Clock; stall: ByteStall },
  transfer: Transfer,
  { signal }: CallOptions,
): Promise<Message | undefined> {
  const { clock, client, stall } = parts;
  const { document, request, meanwhile } = transfer;
  const time = awakeTime(clock, longestTransferLook);
  const progress: Progress = { hasBegun: false, taken: 0, movedAt: 0, isHungry: false };
  const stop = new AbortController();
  const together = { signal: AbortSignal.any([signal, stop.signal]) };

  async function stallOrEnd(): Promise<undefined> {
    while (progress.taken < document.length) {
      const limit = progress.isHungry ? hungerLimit : bytePatience(stall, { hasTaken: progress.taken > 0 });
      const left = milliseconds(progress.movedAt + limit - time());
      if (left <= 0) throw progress.isHungry ? hungry() : stalled(limit);
      await clock.sleep(shortest(left, transferLook), together);
    }
    await meanwhile(together);
  }

  const bytes = { length: document.length, bytes: measured(transfer, progress, time) };
  const answered = client.sendDocument(request, bytes, together);
  const watched = stallOrEnd();
  let fault: unknown;
  try {
    const answer = await Promise.race([answered, watched]);
    fault = answer && refusalOf(answer);
    if (!fault && progress.taken === document.length) return answer;
    fault ??= new Problem('transfer-broken', 'the printer answered before it had taken the document');
  } catch (error) {
    fault = error;
  } finally {
    stop.abort();
    await Promise.allSettled([answered, watched]);
  }
  throw brokenOff(fault, progress);
}

/** A generator is resumed after its last value was handed to the socket. */
async function* measured(
  { document, onFirstByte, onProgress }: Transfer,
  progress: Progress,
  time: () => number,
) {
  Object.assign(progress, { movedAt: time(), isHungry: true });
  for await (const chunk of octetsOf(document)) {
    Object.assign(progress, { hasBegun: true, movedAt: time(), isHungry: false });
    yield chunk;
    if (progress.taken === 0) onFirstByte?.();
    progress.taken += chunk.length;
    onProgress?.();
    Object.assign(progress, { movedAt: time(), isHungry: true });
  }
}

/** The error is reported as a fault of the transfer; the reason why the document did not come is its cause. */
async function* octetsOf(document: SpooledDocument): AsyncGenerator<Buffer> {
  try {
    yield* document.read();
  } catch (cause) {
    const { code, delivery, message } = asProblem(cause, 'document-cut', 'the document stopped coming in');
    const isOurs = code === 'spool-failed' || code === 'spool-full';
    throw new Problem(code, message, { cause, delivery: isOurs ? delivery : 'perhaps' });
  }
}

const stalled = (limit: Duration): Problem =>
  new Problem('printer-stalled', `the printer took no byte for ${inSeconds(limit)} s`);

const hungry = (): Problem =>
  new Problem('document-cut', `the printer was kept waiting for ${inSeconds(hungerLimit)} s`, {
    delivery: 'perhaps',
  });

/**
 * An answer of the printer, or our own finding, keeps its code. A fault of the transport tells nothing about the page.
 */
function brokenOff(cause: unknown, { hasBegun }: Progress): Problem {
  const known = asProblem(cause, 'printer-unreachable', 'the printer could not be asked');
  const { reasons } = known;
  if (isRefusedUnread(known)) {
    return new Problem(known.code, 'the printer refused the document', {
      cause,
      delivery: 'answered',
      reasons,
    });
  }
  if (!hasBegun) {
    return new Problem(known.code, 'the document was not sent', { cause, delivery: 'not-sent', reasons });
  }
  // That the caller gave up is no word of the printer's.
  const isAnswer = known === cause && (known.delivery === 'answered' || known.status !== undefined);
  const code = isAnswer ? known.code : 'transfer-broken';
  return new Problem(code, 'the transfer of the document broke off', { cause, delivery: 'perhaps', reasons });
}
