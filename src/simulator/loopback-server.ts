/** An HTTP server, by default on 127.0.0.1. It can stop with all its connections and start again on the same port. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { systemClock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { milliseconds, minutes, seconds, shortest } from '../core/duration.ts';
import { Problem } from '../domain/problem/problem.ts';
import type { ListenAddress } from '../listener/address.ts';
import { hostAndPort } from '../listener/address.ts';

export interface LoopbackServer extends AsyncDisposable {
  readonly port: number;
  /** Stops listening and breaks every connection. The port stays reserved. */
  close(): Promise<void>;
  /** Listens again, if it does not listen now. */
  reopen(): Promise<void>;
  /** Closes idle connections at once, and busy connections after their answer. */
  closeIdle(): void;
}

/** As PEM. */
export interface TlsIdentity {
  readonly key: string;
  readonly cert: string;
}

/** Time limits for a client. Each is counted from the beginning of the connection or of the request. */
export interface RequestLimits {
  readonly headers: Duration;
  /** For the whole request with its body. */
  readonly request: Duration;
  /** Between two requests. */
  readonly idle: Duration;
}

/**
 * Without limits, a client on another machine could hold connections open for ever. A file of 256 MiB needs time, so
 * the request limit is long.
 */
export const limitsBeyondLoopback: RequestLimits = {
  headers: seconds(30),
  request: minutes(10),
  idle: seconds(30),
};

/** Upper limit for Node's check interval. With its own 30 seconds, a short limit would become a long one. */
const mostSeldom = seconds(1);

function limitsOfServer(limits: RequestLimits | undefined) {
  // A stalled peer is simulated by a behaviour, so the server's own time limits are off.
  if (!limits) return { requestTimeout: 0, headersTimeout: 0 };
  const { headers, request, idle } = limits;
  return {
    headersTimeout: headers,
    requestTimeout: request,
    keepAliveTimeout: idle,
    connectionsCheckingInterval: shortest(mostSeldom, headers, request),
  };
}

/** A minute, with 100 ms per try. */
const mostTries = 600;

/** Port 0 takes a free port. Rejects with `port-taken` if another program listens there. */
export async function startLoopbackServer(options: {
  port: number;
  /** A name or an address of this machine. */
  host?: string | undefined;
  /** Absent: plain HTTP. */
  tls?: TlsIdentity | undefined;
  /** Absent: no limits. */
  limits?: RequestLimits | undefined;
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}): Promise<LoopbackServer> {
  const underWay = new Set<ServerResponse>();
  const listener: RequestListener = (request, response) => {
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
    options.handle(request, response).catch((error: unknown) => {
      // Usually the client has gone and does not read this. Otherwise it is a bug of the simulator and must be visible.
      if (response.headersSent) request.socket.destroy();
      else response.writeHead(500).end(`the simulator failed: ${String(error)}`);
    });
  };
  const limits = limitsOfServer(options.limits);
  // An ES import of node:http would also load Node's fetch, which is a third of the simulator's start time.
  const server = options.tls
    ? process.getBuiltinModule('node:https').createServer({ ...limits, ...options.tls }, listener)
    : process.getBuiltinModule('node:http').createServer(limits, listener);
  let held: Disposable | undefined;
  const letGo = () => {
    held?.[Symbol.dispose]();
    held = undefined;
  };

  const { host = '127.0.0.1' } = options;
  const port = await listen(server, { host, port: options.port });
  return {
    port,
    async close() {
      if (!server.listening) return;
      await stop(server);
      held = await holdPort(port);
    },
    async reopen() {
      await listenAgain(server, { host, port });
      letGo();
    },
    closeIdle() {
      for (const response of underWay) if (!response.headersSent) response.setHeader('connection', 'close');
      server.closeIdleConnections();
    },
    async [Symbol.asyncDispose]() {
      letGo();
      await stop(server);
    },
  };
}

/** Resolves with the port. */
async function listen(server: Server, { host, port }: ListenAddress): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const refused = (cause: Error) =>
    reject(new Problem('port-taken', `cannot listen on ${hostAndPort({ host, port })}`, { cause }));
  server.once('error', refused);
  server.listen(port, host, resolve);
  await promise;
  server.off('error', refused);
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}

/** While the server was closed, the system may have given the port to an outgoing connection for a short time. */
async function listenAgain(server: Server, place: ListenAddress): Promise<void> {
  for (let tries = 1; !server.listening; tries += 1) {
    try {
      await listen(server, place);
    } catch (taken) {
      if (tries === mostTries) throw taken;
      await systemClock.sleep(milliseconds(100));
    }
  }
}

const stop = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

const localAddress = '127.0.0.1';

/**
 * Reserves a port of 127.0.0.1 on which no program listens. Otherwise the next program that asks for any free port
 * could get it and receive the server's requests. One end of a connection holds the port: a client that connects is
 * refused (RFC 9293 3.10.7.1), and a bind to port 0 skips it. If another program already has the port, nothing is
 * reserved; listening again then fails.
 */
async function holdPort(port: number): Promise<Disposable> {
  const ends: Socket[] = [];
  const other = createServer((far) => void ends.push(far.unref().on('error', () => {})));
  await once(other.listen(0, localAddress), 'listening');
  const { port: otherPort } = other.address() as AddressInfo;
  const near = connect({ host: localAddress, port: otherPort, localAddress, localPort: port });
  ends.push(near.unref());
  try {
    await once(near, 'connect');
  } catch {
    near.destroy();
  }
  near.on('error', () => {});
  other.close();
  return {
    [Symbol.dispose]() {
      for (const end of ends) end.destroy();
    },
  };
}
