/**
 * A local HTTP listener with all its guards, before anything is served: its gate, its room, its time limits, and its
 * answers to input that is no valid request (INVARIANTS.md D11, T01, T02, T28). Kiosk and operations add their routes
 * to it.
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
  /** The section of the configuration. It is also the name in the log records. */
  readonly section: 'kiosk' | 'operations';
  readonly listen: ListenAddress;
  /** The descriptor of the socket that systemd keeps for it. */
  readonly kept?: number | undefined;
  /** The names that callers write in `Host`, besides the address. */
  readonly names?: readonly string[] | undefined;
  /**
   * PEM. `clientCa`: callers are asked for a certificate of these authorities; `admit` decides whether they need one.
   */
  readonly tls?:
    | {
        readonly certificate: string;
        readonly key: Secret;
        readonly clientCa?: string | undefined;
      }
    | undefined;
  readonly most?: number | undefined;
  /** Resources without data. A link on another page may lead there, but no other page can read them (T02). */
  isOpenTo?(request: IncomingMessage): boolean;
  /** The status with which a caller that passed the gate is refused; always without a body. */
  admit?(request: IncomingMessage, response: ServerResponse): Promise<number | undefined>;
  readonly log: Log;
}

interface Listener extends AsyncDisposable {
  /** Routes are added to it before `open`. */
  readonly app: FastifyInstance;
  readonly room: Room;
  readonly isFromOwnPage: Gate['isFromOwnPage'];
  /**
   * Returns the real address, because the system chooses the port if the configuration says 0. Rejects `port-taken`
   * when another program has the address, `config-invalid` when it cannot be listened on.
   */
  open(): Promise<ListenAddress>;
}

/** Disposing ends all connections at once. */
export function createListener(deps: ListenerDeps): Listener {
  const { section, names = [], tls, most = mostConnections, log } = deps;
  const { admit = async () => undefined, isOpenTo = () => false } = deps;
  const wanted = bindAddress(deps.listen);
  const key = `${section}.listen`;
  /** Requests come only after the gate is set. */
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
  // Without an agreed TLS connection no answer can be sent.
  app.server.on('tlsClientError', (_error, socket: Socket) => void socket.destroy());
  // A form of another site can send this type, so it is not read (T02).
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
  // The gate refuses a request without a Host, like every other wrong one.
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
    // Input that is no HTTP, or is too long, or never complete.
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
      // A caller without a certificate also gets an answer: a refusal that a person can read.
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
 * The socket of a server: the one that systemd keeps for it, if it has the configured address; otherwise a new one. If
 * the two addresses differ, the gateway still runs, and the log tells it.
 */
interface Binding {
  readonly wanted: ListenAddress;
  /** The descriptor of a listening socket. */
  readonly kept?: number | undefined;
  /** The key of the configuration, such as `kiosk.listen`. */
  readonly key: string;
  readonly log: Log;
}

/** The system chooses the port if the configuration says 0. Rejects with the system's error. */
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
