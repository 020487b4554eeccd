/**
 * The look at a raw printer before a document: asks `@PJL INFO STATUS` on a connection of its own, or asks nothing, and
 * sees whether the printer closes it. A printer that serves one client at a time lets the next one connect and wait: to be
 * connected is not to be served.
 */
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import { pjlEar } from './pjl-messages.ts';
import type { PjlDevice } from './pjl-status.ts';
import { pjlDevice } from './pjl-status.ts';
import type { SocketConnection } from './socket-connection.ts';
import { inquiryLimit } from '../timings.ts';

export type Sighting =
  | { readonly kind: 'answered'; readonly device: PjlDevice }
  /** It served us, and said nothing. */
  | { readonly kind: 'closed' }
  /** It broke the connection. */
  | { readonly kind: 'broken'; readonly cause: unknown }
  /** Nothing came for the whole time. */
  | { readonly kind: 'held' };

export interface Inquiry {
  readonly connection: SocketConnection;
  /** Nothing is asked with no octets. */
  readonly question: Buffer;
  /** How long an answer, or the close, is waited for after our half has ended. */
  readonly wait: Duration;
}

/** Closes the connection in the end. Rejects only by the signal. */
export async function inquire(
  clock: Clock,
  { connection, question, wait }: Inquiry,
  { signal }: CallOptions,
): Promise<Sighting> {
  const stop = new AbortController();
  const nap = (span: Duration) =>
    clock.sleep(span, { signal: AbortSignal.any([signal, stop.signal]) }).then(() => 'held' as const);
  const answer = Promise.withResolvers<Sighting>();
  const ear = pjlEar((message) => {
    if (message.kind === 'device') {
      answer.resolve({ kind: 'answered', device: pjlDevice(message.code, message.online) });
    }
  });
  const closing = (ended: Promise<void>): Promise<Sighting> =>
    ended.then(
      () => {
        ear.end();
        return Promise.race([answer.promise, Promise.resolve({ kind: 'closed' } as const)]);
      },
      (cause: unknown) => ({ kind: 'broken', cause }),
    );

  connection.listen(ear.hear);
  try {
    if (question.length > 0) {
      await connection.write(question);
      const first = await Promise.race([answer.promise, closing(connection.ended()), nap(inquiryLimit)]);
      if (first !== 'held' && first.kind !== 'answered') return first;
      if (first !== 'held') {
        // It is left free for the document: many refuse, or let wait, until the last connection is gone.
        await Promise.race([connection.finish().catch(() => {}), nap(inquiryLimit)]);
        return first;
      }
    }
    const last = await Promise.race([answer.promise, closing(connection.finish()), nap(wait)]);
    return last === 'held' ? { kind: 'held' } : last;
  } catch (cause) {
    signal.throwIfAborted();
    return { kind: 'broken', cause };
  } finally {
    stop.abort();
    connection.close();
  }
}
