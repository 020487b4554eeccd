/**
 * The one time a document's bytes go to a raw printer: envelope and document, in the order they belong, until the
 * printer has closed. Breaks off when no byte is taken, or no close comes, for the stall time.
 */
import type { Clock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { inSeconds, milliseconds, shortest } from '../core/duration.ts';
import type { CallOptions } from '../domain/ports/call.ts';
import type { SpooledDocument } from '../domain/ports/printing.ts';
import { asProblem, Problem } from '../domain/problem.ts';
import type { Envelope } from './pjl.ts';
import type { SocketConnection } from './socket-connection.ts';
import { transferLook } from './timings.ts';

export interface SocketTransfer {
  readonly connection: SocketConnection;
  readonly envelope: Envelope;
  readonly document: SpooledDocument;
  readonly onFirstByte: (() => void) | undefined;
}

/** Small, so that a slow printer is seen to move. */
const sliceOctets = 16 * 1024;

/**
 * Closes the connection in the end. Rejects with delivery `not-sent` when no byte was given to the kernel, otherwise
 * with `printer-stalled`, `transfer-broken` or the spool's own problem, and delivery `perhaps` (reliability.md B.1).
 */
export async function transferBytes(
  { clock, stall }: { clock: Clock; stall: Duration },
  transfer: SocketTransfer,
  { signal }: CallOptions,
): Promise<void> {
  const { connection } = transfer;
  const stop = new AbortController();
  const together = { signal: AbortSignal.any([signal, stop.signal]) };
  let isFirst = true;
  let movedAt = clock.monotonic();

  async function pass(): Promise<void> {
    for await (const slice of slices(transfer)) {
      together.signal.throwIfAborted();
      await connection.write(slice);
      if (isFirst) transfer.onFirstByte?.();
      isFirst = false;
      movedAt = clock.monotonic();
    }
    await connection.finish();
  }

  async function stalled(): Promise<never> {
    for (;;) {
      const left = milliseconds(movedAt + stall - clock.monotonic());
      if (left <= 0)
        throw new Problem('printer-stalled', `the printer did not move for ${inSeconds(stall)} s`);
      await clock.sleep(shortest(left, transferLook), together);
    }
  }

  const passing = pass();
  const watching = stalled();
  try {
    await Promise.race([passing, watching]);
  } catch (cause) {
    throw connection.hasBegun() ? unknownEnd(cause) : nothingSent(cause);
  } finally {
    stop.abort();
    connection.close();
    await Promise.allSettled([passing, watching]);
  }
}

async function* slices({ envelope: { head, tail }, document }: SocketTransfer): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  for await (const block of document.read() as AsyncIterable<Buffer>) {
    for (let at = 0; at < block.length; at += sliceOctets) yield block.subarray(at, at + sliceOctets);
  }
  if (tail.length > 0) yield tail;
}

function unknownEnd(cause: unknown): Problem {
  const { code, message } = asProblem(cause, 'transfer-broken', 'the connection to the printer broke');
  return new Problem(code, message, { cause, delivery: 'perhaps' });
}

function nothingSent(cause: unknown): Problem {
  const { code } = asProblem(cause, 'printer-unreachable', 'the connection to the printer broke');
  return new Problem(code, 'the document was not sent', { cause, delivery: 'not-sent' });
}
