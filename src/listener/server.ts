/**
 * A local HTTP listener with all its guards, before anything is served: its gate, its room, its time limits and what it
 * answers to what is no request (INVARIANTS.md D11, T01, T02, T28). Kiosk and operations add their routes to it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import { once } from 'node:events';
import type { FastifyError, FastifyInstance } from 'fastify';
import { fastify } from 'fastify';
import type { Log } from '../core/log.ts';
import type { Secret } from '../core/secret.ts';
import type { ListenAddress } from './address.ts';
import {
  bindAddress,
  blamesTheRequest,
  hostAndPort,
  listenerLimits,
  listenProblem,
  mostConnections,
} from './address.ts';
import type { Gate } from './gate.ts';
import { createGate, securityHeaders } from './gate.ts';
import type { Room } from './room.ts';
import { limitConnections } from './room.ts';

export interface ListenerDeps {
  /** Where it stands in the configuration, and what its log records are called by. */
  readonly section: 'kiosk' | 'operations';
  readonly listen: ListenAddress;
  /** The descriptor of the socket that systemd keeps for it. */
  readonly kept?: number | undefined;
  /** What callers write in `Host`, besides the address. */
  readonly names?: readonly string[] | undefined;
  /** PEM. `clientCa`: callers are asked for a certificate of these authorities; whether they need one says `admit`. */
  readonly tls?:
    | {
        readonly certificate: string;
        readonly key: Secret;
        readonly clientCa?: string | undefined;
      }
    | undefined;
  readonly most?: number | undefined;
  /** What holds no data: a link of another page may lead there, though nothing of it may be read from elsewhere (T02). */
  isOpenTo?(request: IncomingMessage): boolean;
  /** The status with which this caller is refused, who has passed the gate; always without a body. */
  admit?(request: IncomingMessage, response: ServerResponse): Promise<number | undefined>;
  readonly log: Log;
}

export interface Listener extends AsyncDisposable {
  /** Routes are added to it, before `open`. */
  readonly app: FastifyInstance;
  readonly room: Room;
  readonly isFromOwnPage: Gate['isFromOwnPage'];
  /**
   * Where it listens in fact: port 0 of the configuration is settled by the system. Rejects `port-taken` when another
   * program has the address, `config-invalid` when it cannot be listened on.
   */
  open(): Promise<ListenAddress>;
}

/** Disposing ends all connections at once. */
export function createListener(deps: ListenerDeps): Listener {
  const { section, names = [], tls, most = mostConnections, log } = deps;
  const { admit = async () => undefined, isOpenTo = () => false } = deps;
  const wanted = bindAddress(deps.listen);
  const key = `${section}.listen`;
  /** Nobody comes before it is there. */
  let gate: Gate | undefined;
  const refuse = async (request: IncomingMessage, response: ServerResponse) =>
    (gate ? gate.refusalOf(request, isOpenTo) : 421) ?? (await admit(request, response));

  const app = bareServer(tls, async (request, response) => {
    const refusal = await refuse(request, response);
    response
      .setHeaders(securityHeaders)
      .writeHead(refusal ?? 404, { 'content-length': 0 })
      .end();
  });
  const room = limitConnections(app.server, most);
  // What was not agreed on cannot be answered either.
  app.server.on('tlsClientError', (_error, socket: Socket) => void socket.destroy());
  // What a form of another site could send is not read (T02).
  app.removeContentTypeParser('text/plain');
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.setHeaders(securityHeaders);
    const refusal = await refuse(request.raw, reply.raw);
    return refusal === undefined ? undefined : reply.code(refusal).send();
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send());
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (blamesTheRequest(error)) return reply.code(404).send();
    log.error(`${section} request failed`, { url: request.routeOptions.url, error });
    return reply.code(500).send();
  });

  return {
    app,
    room,
    isFromOwnPage: (request) => gate?.isFromOwnPage(request) ?? false,
    async open() {
      try {
        await app.ready();
        const address = await listenAt(app.server, { wanted, kept: deps.kept, key, log });
        gate = createGate({ scheme: tls ? 'https' : 'http', address, names });
        return address;
      } catch (cause) {
        await app.close();
        throw listenProblem(key, wanted, cause);
      }
    },
    async [Symbol.asyncDispose]() {
      const closed = app.close();
      room[Symbol.dispose]();
      await closed;
    },
  };
}

function bareServer(
  tls: ListenerDeps['tls'],
  answerUnreadable: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): FastifyInstance {
  const { http: limits, ...others } = listenerLimits;
  // A request without a Host is refused by the gate, like every other wrong one.
  const http = { ...limits, requireHostHeader: false };
  const common = {
    ...others,
    exposeHeadRoutes: false,
    // No hook runs for an address that the router cannot read.
    frameworkErrors: (
      _error: FastifyError,
      request: { raw: IncomingMessage },
      reply: { raw: ServerResponse },
    ) => void answerUnreadable(request.raw, reply.raw),
    // What is no HTTP, or too long, or never whole.
    clientErrorHandler: (
      _error: unknown,
      socket: { writable: boolean; write(text: string): unknown; destroySoon(): void },
    ) => {
      if (socket.writable) socket.write(badRequest);
      socket.destroySoon();
    },
  };
  if (!tls) return fastify({ ...common, http });
  const { certificate: cert, key, clientCa } = tls;
  const handshakeTimeout = limits.headersTimeout;
  return fastify({
    ...common,
    https: {
      ...http,
      cert,
      key: key.reveal(),
      minVersion: 'TLSv1.2',
      handshakeTimeout,
      // Who has none is answered all the same: with a refusal that a person can read.
      ...(clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: false }),
    },
  });
}

const badRequest = [
  'HTTP/1.1 400 Bad Request',
  ...[...securityHeaders].map(([name, value]) => `${name}: ${value}`),
  'content-length: 0',
  'connection: close',
  '',
  '',
].join('\r\n');

/**
 * Where a server listens: at the socket that systemd keeps for it, where that is of the configured address; else at one
 * of its own. A gateway is not left dead because the two say different things: the log tells it.
 */
interface Binding {
  readonly wanted: ListenAddress;
  /** The descriptor of a listening socket. */
  readonly kept?: number | undefined;
  /** Of the configuration, as in `kiosk.listen`. */
  readonly key: string;
  readonly log: Log;
}

/** Port 0 of the configuration is settled by the system. Rejects with the system's error. */
async function listenAt(server: Server, binding: Binding): Promise<ListenAddress> {
  const { wanted, kept } = binding;
  if (kept !== undefined && (await isKept(server, kept, binding))) return wanted;
  return listening(server, wanted);
}

async function isKept(server: Server, fd: number, { wanted, key, log }: Binding): Promise<boolean> {
  const says = { key, configured: hostAndPort(wanted) };
  try {
    const { host, port } = await listening(server, { fd });
    if (host === wanted.host && port === wanted.port) return true;
    log.warn('socket of systemd not used', { ...says, kept: hostAndPort({ host, port }) });
    server.close();
    await once(server, 'close');
  } catch (error) {
    log.warn('socket of systemd not used', { ...says, error: error as Error });
  }
  return false;
}

async function listening(
  server: Server,
  where: ListenAddress | { readonly fd: number },
): Promise<ListenAddress> {
  server.listen(where);
  await once(server, 'listening');
  const { address: host, port } = server.address() as AddressInfo;
  return { host: 'host' in where ? where.host : host, port };
}
