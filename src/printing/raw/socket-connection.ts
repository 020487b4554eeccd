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
import { Problem } from '../../domain/problem.ts';
import type { SocketAddress } from './socket-address.ts';
import { answerLimit } from '../timings.ts';

export interface SocketConnection {
  /** Resolves when the kernel has taken the octets, which proves nothing of the printer. */
  write(octets: Buffer): Promise<void>;
  /** Whether the kernel was given anything: from then on nothing is certain. */
  hasBegun(): boolean;
  /** What the printer says, from now on. */
  listen(ear: (octets: Buffer) => void): void;
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
    await once(socket, 'connect', { signal: clock.deadline(answerLimit, signal) });
  } catch (cause) {
    socket.on('error', () => {}).destroy();
    signal.throwIfAborted();
    throw cause instanceof Problem ? cause : unreachable(host, cause);
  }

  let mayEnd = false;
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
    hasBegun: () => socket.bytesWritten > 0,
    listen(ear) {
      socket.on('data', ear);
    },
    ended() {
      mayEnd = true;
      return closed.promise;
    },
    finish() {
      mayEnd = true;
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
  const why = code === 'ABORT_ERR' ? `within ${inSeconds(answerLimit)} s` : `(${code})`;
  return new Problem('printer-unreachable', `no connection to ${host} ${why}`, {
    cause,
    delivery: 'not-sent',
    reasons: code === 'ABORT_ERR' ? [] : [code],
  });
}
