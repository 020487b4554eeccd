/**
 * The kiosk's listener (contract, section 4): a page for each terminal, its events, its commands, its static files, and
 * 404 for everything else. Loopback only; who is let in is `gate.ts` and `passes.ts`, the limits are those of
 * reliability.md T28.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyError, FastifyReply } from 'fastify';
import { fastify } from 'fastify';
import { isLoopback } from '../config/values.ts';
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { createSparingLog } from '../core/sparing-log.ts';
import type { ListenAddress } from '../domain/listener.ts';
import {
  bindAddress,
  blamesTheRequest,
  boundTo,
  hostAndPort,
  listenerLimits,
  listenProblem,
  mostConnections,
} from '../domain/listener.ts';
import type { KioskSecrets } from '../domain/ports/kiosk.ts';
import { Problem } from '../domain/problem.ts';
import { answerCommands } from './command-route.ts';
import { hostsOf, isFromOwnPage, refusalOf, securityHeaders } from './gate.ts';
import type { PageFile } from './page.ts';
import { buildOf, page, readStaticFiles } from './page.ts';
import { createPasses } from './passes.ts';
import { createPeerUser } from './peer-user.ts';
import { limitConnections } from './room.ts';
import type { ServedTerminal } from './seats.ts';
import { createSeats } from './seats.ts';
import { createStreams } from './streams.ts';

export interface KioskOptions {
  readonly listen: ListenAddress;
  /** The uid of the only user who is answered; anybody where there is none. */
  readonly user?: number | undefined;
  readonly secrets: KioskSecrets;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
}

export interface Kiosk extends AsyncDisposable {
  /** Where it listens in fact: port 0 of the configuration is settled by the system. */
  readonly address: ListenAddress;
  /** The page of this terminal is answered until that is disposed. */
  serve(terminal: ServedTerminal): Disposable;
}

/**
 * Rejects `port-taken` when another program has the address, `config-invalid` when it may not be listened on, or the
 * user cannot be told. Disposing ends all streams and connections at once.
 */
export async function startKiosk(options: KioskOptions): Promise<Kiosk> {
  const { clock, chance, secrets, user } = options;
  const log = createSparingLog({ log: options.log, clock });
  const wanted = bindAddress(options.listen);
  if (!isLoopback(wanted.host)) {
    throw new Problem('config-invalid', `kiosk.listen: ${hostAndPort(wanted)} is not a loopback address`);
  }
  const peers = user === undefined ? undefined : await createPeerUser({ uid: user, log });
  let hosts: ReadonlySet<string> = new Set();
  /** The status of a refusal, always without a body. */
  async function refuse(request: IncomingMessage, response: ServerResponse): Promise<421 | 403 | undefined> {
    const refusal = refusalOf(hosts, request);
    if (refusal !== undefined || !peers || (await peers.isAt(request.socket))) return refusal;
    // Whose a connection is stays as it was found: who comes again is to come on another one.
    response.shouldKeepAlive = false;
    return 403;
  }

  const app = fastify({
    ...listenerLimits,
    // A request without a Host is refused by the gate, like every other wrong one.
    http: { ...listenerLimits.http, requireHostHeader: false },
    exposeHeadRoutes: false,
    // No hook runs for an address that the router cannot read.
    frameworkErrors: (_error, request, { raw: response }) => {
      void refuse(request.raw, response).then((refusal) =>
        response
          .setHeaders(securityHeaders)
          .writeHead(refusal ?? 404, { 'content-length': 0 })
          .end(),
      );
    },
    // What is no HTTP, or too long, or never whole.
    clientErrorHandler: (_error, socket) => {
      if (socket.writable) socket.write(badRequest);
      socket.destroySoon();
    },
  });
  limitConnections(app.server, peers ? mostLookedUp : mostConnections);
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
    log.error('kiosk request failed', { url: request.routeOptions.url, error });
    return reply.code(500).send();
  });

  const files = await readStaticFiles();
  const streams = createStreams({ clock, chance, build: buildOf(files) });
  const seats = createSeats({ clock, streams });
  const passes = createPasses({ secrets, chance, log });
  for (const [path, file] of files) app.get(path, (_request, reply) => sendFile(reply, file));
  app.get<Addressed & { Querystring: { launch?: unknown } }>('/t/:id', ({ params, query }, reply) => {
    if (!seats.of(params.id)) return reply.code(404).send();
    const { launch } = query;
    if (launch === undefined) return sendFile(reply, page);
    const cookie = typeof launch === 'string' ? passes.launch(launch) : undefined;
    if (cookie !== undefined) void reply.header('set-cookie', cookie);
    // Refused too: a kiosk that was started with a spent secret still takes badges.
    return reply.redirect(`/t/${params.id}`, 303);
  });
  app.get<Addressed>('/t/:id/events', (request, reply) => {
    const seat = seats.of(request.params.id);
    if (!seat) {
      void reply.code(404).send();
      return;
    }
    const isPrivate = passes.areIn(request.headers.cookie);
    reply.hijack();
    // Whoever is gone already would never be seen to go.
    if (request.raw.socket.destroyed) return;
    streams.open({
      source: seat.terminal.view,
      response: reply.raw,
      isPrivate,
      onEnd: isPrivate ? seat.presence.came() : () => {},
    });
  });
  answerCommands(app, {
    path: '/t/:id/commands',
    seatOf: (id) => seats.of(id),
    isLetIn: (request) => isFromOwnPage(hosts, request) && passes.areIn(request.headers.cookie),
    isShown: ({ terminal }, name) => streams.isShown(terminal.view, name),
  });

  try {
    await app.listen(wanted);
  } catch (cause) {
    await app.close();
    throw listenProblem('kiosk.listen', wanted, cause);
  }
  const address = boundTo(wanted, app.server.address());
  hosts = hostsOf(address);
  const stop = new AbortController();
  const heartbeat = streams.run(stop.signal);
  return {
    address,
    serve: (terminal) => seats.serve(terminal),
    async [Symbol.asyncDispose]() {
      // That the pages lose their connections now is no fault of theirs.
      seats[Symbol.dispose]();
      stop.abort();
      await heartbeat;
      await app.close();
    },
  };
}

interface Addressed {
  readonly Params: { readonly id: string };
}

/** It takes a while to find out whose a connection is: a crowd of other users waits for that, and the page with them. */
const mostLookedUp = 512;

const badRequest = [
  'HTTP/1.1 400 Bad Request',
  ...[...securityHeaders].map(([name, value]) => `${name}: ${value}`),
  ...['content-length: 0', 'connection: close', '', ''],
].join('\r\n');

const sendFile = (reply: FastifyReply, file: PageFile): FastifyReply => reply.type(file.type).send(file.body);
