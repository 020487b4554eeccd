/**
 * One TCP connection to a raw printer. Octets are sent with back-pressure, and both sides can distinguish an orderly
 * end from a break. A printer that ends its half sends no more, but may still read; only a reset or silence is a break.
 * What the printer sends goes to the listener, if there is one.
 */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { LookupFunction, Socket } from 'node:net';
import { connect, isIPv6 } from 'node:net';
import { tableMapped, tablePort, tableWord } from '../../core/tcp-table.ts';
import type { Clock } from '../../core/clock.ts';
import { inSeconds, milliseconds } from '../../core/duration.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import { namesZone, zoneRefusal } from '../../domain/printer/printer-address.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { wordsOf } from '../address-ranges.ts';
import { takenPolls, takingMoment, wakingLimit } from '../timings.ts';

export interface SocketConnection {
  /** Resolves when the kernel has taken the octets, which proves nothing about the printer. */
  write(octets: Buffer): Promise<void>;
  /** Octets that the kernel was given: after the first octet of a document nothing is certain. */
  given(): number;
  /** Gives what the printer sends from now on. */
  listen(ear: (octets: Buffer) => void): void;
  /** Resolves when the printer has ended its half; rejects when the connection breaks. */
  left(): Promise<void>;
  /**
   * Resolves when the printer has acknowledged everything. If that cannot be seen, resolves after the printer had a
   * moment to refuse. Rejects when the connection breaks.
   */
  taken(): Promise<void>;
  /** An acknowledgement of everything was seen. */
  isTaken(): boolean;
  /** Ends our half once everything is acknowledged; resolves when the printer has ended its half. */
  finish(): Promise<void>;
  /** Closes at once. With octets under way it is a reset, because a cut document must not look like a whole one. */
  close(): void;
}

interface SocketDeps {
  readonly address: SocketAddress;
  readonly clock: Clock;
  readonly lookup?: LookupFunction | undefined;
}

/** Rejects with `printer-unreachable`, or with the look-up's own problem, with delivery `not-sent`. */
export async function openConnection(
  { address: { host, port }, clock, lookup }: SocketDeps,
  { signal }: CallOptions,
): Promise<SocketConnection> {
  // Without noDelay a short tail or question would wait until the printer has acknowledged earlier octets.
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
  readonly #left = Promise.withResolvers<void>();
  readonly #broken = Promise.withResolvers<never>();
  #acknowledged = -1;
  #hasLeft = false;
  #isOver = false;
  #fault: Error | undefined;

  constructor(socket: Socket, clock: Clock) {
    this.#socket = socket;
    this.#clock = clock;
    // No code may be waiting when the connection breaks; the next write or finish reports it.
    this.#broken.promise.catch(() => {});
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the connection is closed')));
    socket.on('end', () => {
      this.#hasLeft = true;
      this.#left.resolve();
    });
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

  left(): Promise<void> {
    return Promise.race([this.#left.promise, this.#broken.promise]);
  }

  async taken(): Promise<void> {
    for (
      let pause: number = takenPolls.first;
      ;
      pause = Math.min(pause * takenPolls.factor, takenPolls.longest)
    ) {
      if (this.#fault) throw this.#fault;
      const octets = this.given();
      const queue = await unacknowledged(this.#socket);
      if (queue === undefined) return this.#moment();
      if (queue === 'gone') this.#fail(new Error('the printer closed before it had everything'));
      else if (queue === 0) {
        this.#acknowledged = octets;
        return;
      }
      await Promise.race([this.#clock.sleep(milliseconds(pause)), this.#broken.promise]);
    }
  }

  isTaken(): boolean {
    return this.#acknowledged === this.given();
  }

  async finish(): Promise<void> {
    await this.taken();
    if (this.#hasLeft) await this.#stays();
    this.#socket.end();
    await this.left();
    this.#isOver = true;
  }

  close(): void {
    if (this.given() > 0 && !this.#isOver) this.#socket.resetAndDestroy();
    else this.#socket.destroy();
  }

  /**
   * For a printer that ended its half early: if it closes with unread octets, it resets the connection, and that is
   * visible while our half is open.
   */
  async #stays(): Promise<void> {
    await Promise.race([this.#clock.sleep(takingMoment), this.#broken.promise]);
    await this.taken();
  }

  /**
   * A short document may still be in the kernel: if the printer closes now and has sent nothing, it has not read it.
   */
  async #moment(): Promise<void> {
    await Promise.race([this.#clock.sleep(takingMoment), this.#broken.promise]);
    if (this.#hasLeft && this.#socket.bytesRead === 0) {
      throw new Error('the printer closed before it had everything');
    }
  }

  #fail(error: Error): void {
    this.#fault ??= error;
    this.#broken.reject(this.#fault);
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

const tables = ['/proc/self/net/tcp', '/proc/self/net/tcp6'] as const;

/**
 * The octets that the other side has not acknowledged yet, or `undefined` if the system does not tell. Linux lists them
 * in /proc/self/net/tcp (proc(5)); `tx_queue` counts octets and our own end until they are acknowledged. A connection
 * that was reset is not listed. A row in hexadecimal:
 *
 * +--------+--------------------+--------------------+----+--------------------+-----
 * |  sl:   |  local_address     |  rem_address       | st | tx_queue:rx_queue  | ...
 * +--------+--------------------+--------------------+----+--------------------+-----
 * |  3:    |  0100007F:D431     |  0700000A:238C     | 01 | 00000000:00000000  | ...
 */
async function unacknowledged(socket: Socket): Promise<number | 'gone' | undefined> {
  const row = rowOf(socket);
  // Read twice: the kernel gives a table in pieces, and a row may be missed between two pieces.
  for (const path of [...tables, ...tables]) {
    const table = await readFile(path, 'latin1').catch(() => undefined);
    if (table === undefined && path === tables[0]) return undefined;
    const queue = new RegExp(`: ${row} [0-9A-F]{2} ([0-9A-F]{8}):`).exec(table ?? '')?.[1];
    if (queue !== undefined) return Number.parseInt(queue, 16);
  }
  return 'gone';
}

const rowOf = ({ localAddress, localPort, remoteAddress, remotePort }: Socket): string =>
  `${endOf(localAddress, localPort)} ${endOf(remoteAddress, remotePort)}`;

/** An IPv4 address may be in either table; addresses are words of 32 bits in the machine's own octet order. */
function endOf(address = '', port = 0): string {
  const words = isIPv6(address)
    ? wordsOf(address)
    : [Buffer.from(address.split('.').map(Number)).readUInt32BE()];
  const mapped = isIPv6(address) ? '' : `(?:${tableMapped})?`;
  return `${mapped}${words.map(tableWord).join('')}:${tablePort(port)}`;
}

export interface SocketAddress {
  /** A name or an IP address, without brackets. */
  readonly host: string;
  readonly port: number;
}

export const socketScheme = 'socket:';
const usualPort = 9100;

/**
 * The host and port of a `socket` URI; the port is 9100 unless another is written. Throws `config-invalid` for any
 * other address.
 */
export function socketAddress(uri: string): SocketAddress {
  if (namesZone(uri)) throw new Problem('config-invalid', `the address of the printer ${zoneRefusal}`);
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (url?.protocol !== socketScheme || url.hostname === '') {
    throw new Problem('config-invalid', 'the printer needs an address like socket://10.0.0.7:9100');
  }
  if (url.username !== '' || url.password !== '' || !/^\/?$/.test(url.pathname + url.search + url.hash)) {
    throw new Problem('config-invalid', 'a socket:// address is a host and a port, and nothing else');
  }
  const bare = url.hostname.replace(/^\[|\]$/g, '');
  return {
    host: isIPv6(bare) ? bare : url.hostname,
    port: url.port === '' ? usualPort : Number(url.port),
  };
}
