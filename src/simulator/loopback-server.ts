/** An HTTP server, on 127.0.0.1 unless said, that can go away, with all its connections, and come back on the same port. */
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
  /** Stops listening and breaks every connection; the port stays its own. */
  close(): Promise<void>;
  /** Listens again, where it does not. */
  reopen(): Promise<void>;
  /** Ends the connections that carry no request at the moment, and the others with their answer. */
  closeIdle(): void;
}

/** PEM. */
export interface TlsIdentity {
  readonly key: string;
  readonly cert: string;
}

/** How long a client may take, each from the first moment of the connection or of the request. */
export interface RequestLimits {
  readonly headers: Duration;
  /** With its body. */
  readonly request: Duration;
  /** Between two requests. */
  readonly idle: Duration;
}

/** For clients of other machines: any of them could hold connections open for ever. A file of 256 MiB takes its time. */
export const limitsBeyondLoopback: RequestLimits = {
  headers: seconds(30),
  request: minutes(10),
  idle: seconds(30),
};

/** How often Node looks for connections that are over their time; its own 30 seconds would make a short limit a long one. */
const mostSeldom = seconds(1);

function limitsOfServer(limits: RequestLimits | undefined) {
  // A stalled peer is for a behaviour to play, never for the server's own time limit.
  if (!limits) return { requestTimeout: 0, headersTimeout: 0 };
  const { headers, request, idle } = limits;
  return {
    headersTimeout: headers,
    requestTimeout: request,
    keepAliveTimeout: idle,
    connectionsCheckingInterval: shortest(mostSeldom, headers, request),
  };
}

/** For a minute. */
const mostTries = 600;

/** Port 0 takes a free one. Rejects with `port-taken` when another program listens there. */
export async function startLoopbackServer(options: {
  port: number;
  /** A name or an address of this machine. */
  host?: string | undefined;
  /** Absent: plain HTTP. */
  tls?: TlsIdentity | undefined;
  /** Absent: none. */
  limits?: RequestLimits | undefined;
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}): Promise<LoopbackServer> {
  const underWay = new Set<ServerResponse>();
  const listener: RequestListener = (request, response) => {
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
    options.handle(request, response).catch((error: unknown) => {
      // Mostly the client has gone, and nobody reads this; else it is a mistake of ours, and should be seen.
      if (response.headersSent) request.socket.destroy();
      else response.writeHead(500).end(`the simulator failed: ${String(error)}`);
    });
  };
  const limits = limitsOfServer(options.limits);
  // Imported as an ES module, node:http brings Node's fetch with it, and that is a third of a simulator's start.
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

/** Whoever connected to somewhere meanwhile may have been given this port, for as long as that lasts. */
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

/**
 * A port of 127.0.0.1 at which nobody listens and which nobody else is given.
 *
 * A server that is away for a while leaves its port free; the next program that asks for any port may get it,
 * and then receives what was meant for the server. The end of a connection holds the port: whoever connects
 * there is refused (RFC 9293 3.10.7.1), and a bind to port 0 passes it over.
 */
const localAddress = '127.0.0.1';

/** Where another program has the port already, nothing is held and nothing said: it is refused at the return. */
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
