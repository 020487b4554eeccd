/**
 * The question before a document, `@PJL INFO STATUS`, at the beginning of the document's own connection, to a printer
 * that is known to answer it (PJL Technical Reference, "Status readback commands"). A printer that serves one client at
 * a time lets the next client connect and wait. So a connection does not mean service; only the answer does.
 */
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { inquiryLimit } from '../timings.ts';
import { pjlEar } from './pjl-messages.ts';
import type { PjlDevice } from './pjl-status.ts';
import { pjlDevice } from './pjl-status.ts';
import { farewell } from './pjl.ts';
import type { SocketConnection } from './socket-connection.ts';

export interface Question {
  readonly connection: SocketConnection;
  readonly question: Buffer;
  /** How long to wait for the answer: the printer may be serving another client. */
  readonly wait: Duration;
  readonly isHindered: (device: PjlDevice) => boolean;
}

/**
 * `undefined`: the printer served us and did not answer, and the connection is no longer usable. Rejects with
 * `printer-busy` or `printer-not-ready`, with delivery `not-sent`: the question is not a document, and a printer that
 * answers it prints nothing. The connection stays open only if the printer is ready.
 */
export async function askBefore(
  clock: Clock,
  { connection, question, wait, isHindered }: Question,
  { signal }: CallOptions,
): Promise<PjlDevice | undefined> {
  const stop = new AbortController();
  const nap = (span: Duration) =>
    clock.sleep(span, { signal: AbortSignal.any([signal, stop.signal]) }).then(() => 'nothing' as const);
  const answer = Promise.withResolvers<PjlDevice>();
  connection.listen(
    pjlEar((message) => {
      if (message.kind === 'device') answer.resolve(pjlDevice(message.code, message.online));
    }).hear,
  );
  try {
    await connection.write(question);
    const device = await Promise.race([answer.promise, hangUp(connection), nap(wait)]);
    if (device === 'nothing') {
      const end = connection.finish().then(() => 'closed' as const);
      if ((await Promise.race([end, nap(inquiryLimit)])) !== 'closed') throw taken();
      return undefined;
    }
    if (!isHindered(device)) return device;
    // The printer is left free and in order for the person who repairs it.
    const leaving = connection.write(farewell).then(() => connection.finish());
    await Promise.race([leaving.catch(() => {}), nap(inquiryLimit)]);
    throw notReady(device);
  } catch (cause) {
    connection.close();
    signal.throwIfAborted();
    throw cause instanceof Problem ? cause : broken(cause);
  } finally {
    stop.abort();
  }
}

/** A printer that ends its half without an answer will not answer any more. */
async function hangUp(connection: SocketConnection): Promise<never> {
  await connection.left();
  throw new Error('the printer ends the connection');
}

const taken = () => new Problem('printer-busy', 'the printer serves somebody else', { delivery: 'not-sent' });

const notReady = ({ state, obstacles }: PjlDevice) =>
  new Problem('printer-not-ready', `the printer is ${state} and needs attention`, {
    delivery: 'not-sent',
    reasons: obstacles,
  });

const broken = (cause: unknown) =>
  new Problem('printer-busy', 'the printer breaks the connection', { cause, delivery: 'not-sent' });
