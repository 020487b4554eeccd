/**
 * One TCP connection to a printer that takes raw bytes: handed over with back-pressure, and ended so that an orderly
 * end and a break can be told apart on both sides. What the printer says on it goes to whoever listens, else to nobody.
 */
import { once } from 'node:events';
import type { LookupFunction } from 'node:net';
import { connect } from 'node:net';
import type { Clock } from '../../core/clock.ts';
import { inSeconds } from '../../core/duration.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import { Problem } from '../../domain/problem/problem.ts';
import type { SocketAddress } from './socket-address.ts';
import { takingMoment, wakingLimit } from '../timings.ts';

export interface SocketConnection {
  /** Resolves when the kernel has taken the octets, which proves nothing of the printer. */
  write(octets: Buffer): Promise<void>;
  /** Octets the kernel was given: from the first one of a document on nothing is certain. */
  given(): number;
  /** What the printer says, from now on. */
  listen(ear: (octets: Buffer) => void): void;
  /** Rejects when it breaks, or the printer ends it, before the printer may. */
  broken(): Promise<never>;
  /** From now on the printer has everything and may end; resolves when it has, and rejects when it breaks instead. */
  ended(): Promise<void>;
  /** Ends our half; resolves as `ended` does. */
  finish(): Promise<void>;
  /** Closes at once. With octets under way it is a reset: what was cut must not look like a whole document. */
  close(): void;
}

export interface SocketOptions {
  readonly address: SocketAddress;
  readonly clock: Clock;
  readonly lookup?: LookupFunction | undefined;
}

/** Rejects `printer-unreachable`, or the lookup's own problem, with delivery `not-sent`. */
export async function openConnection(
  { address: { host, port }, clock, lookup }: SocketOptions,
  { signal }: CallOptions,
): Promise<SocketConnection> {
  const socket = connect({ host, port, allowHalfOpen: true, ...(lookup ? { lookup } : {}) });
  try {
    await once(socket, 'connect', { signal: clock.deadline(wakingLimit, signal) });
  } catch (cause) {
    socket.on('error', () => {}).destroy();
    signal.throwIfAborted();
    throw cause instanceof Problem ? cause : unreachable(host, cause);
  }

  let mayEnd = false;
  /**
   * A short document lies in the kernel when its last byte was given: a printer that took the connection and closed it,
   * because it serves somebody else, is seen to have done so a moment later.
   */
  let taking: Promise<void> | undefined;
  const taken = () => (taking ??= letEnd());
  async function letEnd(): Promise<void> {
    await clock.sleep(takingMoment);
    mayEnd = true;
  }
  let fault: Error | undefined;
  const closed = Promise.withResolvers<void>();
  // Nobody may be waiting at the moment it breaks; who writes or finishes next learns of it.
  closed.promise.catch(() => {});
  const fail = (error: Error) => {
    fault ??= error;
    closed.reject(error);
  };
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the connection is closed')));
  socket.on('end', () => {
    // Who has said a word was there to read.
    mayEnd ||= taking !== undefined && socket.bytesRead > 0;
    if (mayEnd) {
      closed.resolve();
      return;
    }
    fail(new Error('the printer closed before it had everything'));
    socket.resetAndDestroy();
  });
  socket.resume();

  return {
    async write(octets) {
      if (fault) throw fault;
      await new Promise<void>((resolve, reject) => {
        socket.write(octets, (error) => (error ? reject(fault ?? error) : resolve()));
      });
    },
    given: () => socket.bytesWritten,
    listen(ear) {
      socket.on('data', ear);
    },
    broken: () => closed.promise.then(() => new Promise<never>(() => {})),
    async ended() {
      await Promise.race([taken(), closed.promise]);
      return closed.promise;
    },
    async finish() {
      await Promise.race([taken(), closed.promise]);
      socket.end();
      return closed.promise;
    },
    close() {
      const isCut = socket.bytesWritten > 0 && !(mayEnd && socket.readableEnded);
      if (isCut) socket.resetAndDestroy();
      else socket.destroy();
    },
  };
}

function unreachable(host: string, cause: unknown): Problem {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const why = code === 'ABORT_ERR' ? `within ${inSeconds(wakingLimit)} s` : `(${code})`;
  return new Problem('printer-unreachable', `no connection to ${host} ${why}`, {
    cause,
    delivery: 'not-sent',
    reasons: code === 'ABORT_ERR' ? [] : [code],
  });
}
