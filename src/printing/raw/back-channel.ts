/**
 * The back-channel of one raw printer: whether it answers in PJL, and whether it tells of its jobs. This is learned
 * from documents only. A printer without PJL would print a separate question, and some make a job of every connection
 * (PAPPL, printer-raw.c: each accepted connection is a job named "Untitled").
 */
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { inquiryLimit, muteSpan } from '../timings.ts';
import type { PjlJob } from './pjl-job.ts';
import { pjlDevice, pjlEar } from './pjl-messages.ts';
import type { PjlDevice } from './pjl-messages.ts';
import { farewell } from './pjl.ts';
import type { SocketConnection } from './socket-connection.ts';

export interface BackChannel {
  /** `undefined`: it was never asked. */
  answers(): boolean | undefined;
  /** Whether the printer is asked to tell how a job goes. A silent printer is tried again after a while. */
  tellsJobs(): boolean;
  /** Learns from a whole job that the printer was asked to tell of, and from whether it had answered before. */
  learn(job: PjlJob, hasAnswered: boolean): void;
  /** The printer served us and did not answer. */
  fellMute(): void;
  /**
   * Whether the printer's state before a document keeps that document back. A doubtful state is believed only once,
   * because a user who tries again was told. Many printers repeat it for ever, about a tray or a job that does not
   * matter.
   */
  isHindered(device: PjlDevice): boolean;
}

export function backChannel({ clock, pjl }: { clock: Clock; pjl: 'auto' | 'off' }): BackChannel {
  let talks: boolean | undefined;
  let silentUntil = 0;
  let wasDoubtful = false;
  const now = () => clock.monotonic();

  return {
    answers: () => talks,
    tellsJobs: () => pjl === 'auto' && now() >= silentUntil,
    learn(job, hasAnswered) {
      talks = hasAnswered || job.hasAnswered();
      if (!job.hasBegun()) silentUntil = now() + muteSpan;
    },
    fellMute() {
      talks = false;
    },
    isHindered({ obstacles, isDoubtful = false }) {
      const isKnown = wasDoubtful && isDoubtful;
      wasDoubtful = isDoubtful;
      return obstacles.length > 0 && !isKnown;
    },
  };
}

interface Question {
  readonly connection: SocketConnection;
  readonly question: Buffer;
  /** How long to wait for the answer: the printer may be serving another client. */
  readonly wait: Duration;
  readonly isHindered: (device: PjlDevice) => boolean;
}

/**
 * The question before a document, `@PJL INFO STATUS`, at the beginning of the document's own connection, to a printer
 * that is known to answer it (PJL Technical Reference, "Status readback commands"). A printer that serves one client
 * at a time lets the next client connect and wait. So a connection does not mean service; only the answer does.
 *
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
