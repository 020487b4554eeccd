/**
 * A badge reader on the network. It either dials in over plain TCP and dials again after a lost connection, or it waits
 * to be dialled, over TLS if it has a certificate.
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Clock } from '../../core/clock.ts';
import { systemClock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { milliseconds } from '../../core/duration.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { createReceived } from './reader.ts';

export interface VirtualNetworkReader extends AsyncDisposable {
  /** Holds the card with this number to the reader. It waits until the reader has a connection. */
  tap(number: string): Promise<void>;
  /** Writes any bytes. It waits until the reader has a connection. */
  write(bytes: string | Uint8Array): Promise<void>;
  /** The bytes that the agent wrote over all connections, each as one character. */
  received(): string;
  /** Breaks the connection, if there is one. */
  hangUp(): void;
}

export interface DiallingOptions {
  readonly host: string;
  readonly port: number;
  /** The first line that the reader sends. */
  readonly hello?: string;
  /** The source address; by default the system chooses it. */
  readonly from?: string;
  readonly redialAfter?: Duration;
  readonly clock?: Clock;
}

export function startDiallingReader(options: DiallingOptions): VirtualNetworkReader {
  const { host, port, hello, from, redialAfter = milliseconds(500), clock = systemClock } = options;
  const line = createLine();
  const over = new AbortController();

  async function dial(): Promise<void> {
    while (!over.signal.aborted) {
      const socket = connect({ host, port, ...(from === undefined ? {} : { localAddress: from }) });
      const gone = closed(socket);
      socket.once('connect', () => {
        if (hello !== undefined) socket.write(`${hello}\r\n`);
        line.connected(socket);
      });
      await gone;
      await clock.sleep(redialAfter, { signal: over.signal }).catch(() => {});
    }
  }
  const dialling = dial();

  return {
    ...line.reader,
    async [Symbol.asyncDispose]() {
      over.abort();
      line.hold();
      await dialling;
    },
  };
}

/** Port 0 takes a free port. Rejects with `port-taken` if another program listens there. */
export async function startWaitingReader({
  port = 0,
  tls,
}: {
  readonly port?: number;
  /** The certificate and key in PEM, for TLS. Absent: plain TCP. */
  readonly tls?: { readonly cert: string; readonly key: string };
} = {}): Promise<VirtualNetworkReader & { readonly port: number }> {
  const line = createLine();
  const take = (socket: Socket): void => {
    void closed(socket);
    line.connected(socket);
  };
  const server = tls ? createTlsServer({ ...tls }, take) : createServer(take);
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new Problem('port-taken', `cannot listen on 127.0.0.1:${port}`, { cause });
  }
  const address = server.address();
  return {
    ...line.reader,
    port: typeof address === 'object' && address ? address.port : port,
    [Symbol.asyncDispose]() {
      line.hold();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** The reader's end of its one connection. */
function createLine() {
  let current: Socket | undefined;
  let isOver = false;
  let waiting: (() => void)[] = [];
  const received = createReceived();

  async function write(bytes: string | Uint8Array): Promise<void> {
    if (!current) await new Promise<void>((resolve) => waiting.push(resolve));
    current?.write(bytes);
  }

  return {
    connected(socket: Socket): void {
      if (isOver) return void socket.destroy();
      // Without this, a write would wait in the system until the previous one is acknowledged.
      socket.setNoDelay(true);
      // As with most real readers, the latest connection replaces the earlier one.
      current?.destroy();
      current = socket;
      socket.on('data', received.take);
      socket.once('close', () => {
        if (current === socket) current = undefined;
      });
      for (const wake of waiting) wake();
      waiting = [];
    },
    hold(): void {
      isOver = true;
      current?.destroy();
    },
    reader: {
      write,
      received: received.text,
      tap: (number: string) => write(`${number}\r\n`),
      hangUp: () => void current?.destroy(),
    },
  };
}

/** Resolves when the connection has ended in any way. */
function closed(socket: Socket): Promise<void> {
  socket.on('error', () => {});
  socket.resume();
  return new Promise((resolve) => socket.once('close', () => resolve()));
}
