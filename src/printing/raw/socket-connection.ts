/**
 * One TCP connection to a printer that takes raw bytes: handed over with back-pressure, and ended so that an orderly
 * end and a break can be told apart on both sides. What the printer says on it goes to whoever listens, else to nobody.
 */
import { once } from 'node:events';
import type { LookupFunction, Socket } from 'node:net';
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
  // A short tail, or a question, would else wait in the system until the printer has acknowledged what went before it.
  const socket = connect({ host, port, allowHalfOpen: true, noDelay: true, ...(lookup ? { lookup } : {}) });
  try {
    await once(socket, 'connect', { signal: clock.deadline(wakingLimit, signal) });
  } catch (cause) {
    socket.on('error', () => {}).destroy();
    signal.throwIfAborted();
    throw cause instanceof Problem ? cause : unreachable(host, cause);
  }
  return new OpenConnection(socket, clock);
}

class OpenConnection implements SocketConnection {
  readonly #socket: Socket;
  readonly #clock: Clock;
  readonly #closed = Promise.withResolvers<void>();
  /**
   * A short document lies in the kernel when its last byte was given: a printer that took the connection and closed it,
   * because it serves somebody else, is seen to have done so a moment later.
   */
  #taking: Promise<void> | undefined;
  #mayEnd = false;
  #fault: Error | undefined;

  constructor(socket: Socket, clock: Clock) {
    this.#socket = socket;
    this.#clock = clock;
    // Nobody may be waiting at the moment it breaks; who writes or finishes next learns of it.
    this.#closed.promise.catch(() => {});
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the connection is closed')));
    socket.on('end', () => this.#hearEnd());
    socket.resume();
  }

  async write(octets: Buffer): Promise<void> {
    if (this.#fault) throw this.#fault;
    await new Promise<void>((resolve, reject) => {
      this.#socket.write(octets, (error) => (error ? reject(this.#fault ?? error) : resolve()));
    });
  }

  given(): number {
    return this.#socket.bytesWritten;
  }

  listen(ear: (octets: Buffer) => void): void {
    this.#socket.on('data', ear);
  }

  broken(): Promise<never> {
    return this.#closed.promise.then(() => new Promise<never>(() => {}));
  }

  async ended(): Promise<void> {
    await Promise.race([this.#taken(), this.#closed.promise]);
    return this.#closed.promise;
  }

  async finish(): Promise<void> {
    await Promise.race([this.#taken(), this.#closed.promise]);
    this.#socket.end();
    return this.#closed.promise;
  }

  close(): void {
    const isCut = this.#socket.bytesWritten > 0 && !(this.#mayEnd && this.#socket.readableEnded);
    if (isCut) this.#socket.resetAndDestroy();
    else this.#socket.destroy();
  }

  #taken(): Promise<void> {
    return (this.#taking ??= this.#letEnd());
  }

  async #letEnd(): Promise<void> {
    await this.#clock.sleep(takingMoment);
    this.#mayEnd = true;
  }

  #hearEnd(): void {
    // Who has said a word was there to read.
    this.#mayEnd ||= this.#taking !== undefined && this.#socket.bytesRead > 0;
    if (this.#mayEnd) {
      this.#closed.resolve();
      return;
    }
    this.#fail(new Error('the printer closed before it had everything'));
    this.#socket.resetAndDestroy();
  }

  #fail(error: Error): void {
    this.#fault ??= error;
    this.#closed.reject(error);
  }
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
