/**
 * The kiosk's listener (contract, section 4): a page for each terminal, its events, its commands, its static files, and
 * 404 for everything else. Loopback only; who is let in is `gate.ts` and `passes.ts`, the limits are those of
 * reliability.md T28.
 */
import type { FastifyError, FastifyReply } from 'fastify';
import { fastify } from 'fastify';
import { isLoopback } from '../config/values.ts';
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
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
import { page, readStaticFiles } from './page.ts';
import { createPasses } from './passes.ts';
import { createPresence } from './presence.ts';
import { limitConnections } from './room.ts';
import { createStreams } from './streams.ts';
import type { KioskTerminal } from './terminal.ts';

export interface KioskOptions {
  readonly listen: ListenAddress;
  readonly terminals: ReadonlyMap<string, KioskTerminal>;
  readonly secrets: KioskSecrets;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  /** Whether a page that may send commands is connected to the terminal; down at first. */
  onPages(terminal: string, state: 'up' | 'down'): void;
}

export interface Kiosk extends AsyncDisposable {
  /** Where it listens in fact: port 0 of the configuration is settled by the system. */
  readonly address: ListenAddress;
}

/** Rejects `port-taken` when another program has the address. Disposing ends all streams and connections at once. */
export async function startKiosk(options: KioskOptions): Promise<Kiosk> {
  const { terminals, clock, log } = options;
  const wanted = bindAddress(options.listen);
  if (!isLoopback(wanted.host)) {
    throw new Problem('config-invalid', `kiosk.listen: ${hostAndPort(wanted)} is not a loopback address`);
  }
  let hosts: ReadonlySet<string> = new Set();
  const app = fastify({
    ...listenerLimits,
    // A request without a Host is refused by the gate, like every other wrong one.
    http: { ...listenerLimits.http, requireHostHeader: false },
    exposeHeadRoutes: false,
    // No hook runs for an address that the router cannot read.
    frameworkErrors: (_error, request, { raw: response }) => {
      response
        .setHeaders(securityHeaders)
        .writeHead(refusalOf(hosts, request.raw) ?? 404, { 'content-length': 0 })
        .end();
    },
  });
  limitConnections(app.server, mostConnections);
  // What a form of another site could send is not read (T02).
  app.removeContentTypeParser('text/plain');
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.setHeaders(securityHeaders);
    const refusal = refusalOf(hosts, request.raw);
    return refusal === undefined ? undefined : reply.code(refusal).send();
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send());
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (blamesTheRequest(error)) return reply.code(404).send();
    log.error('kiosk request failed', { url: request.routeOptions.url, error });
    return reply.code(500).send();
  });

  const streams = createStreams({ clock });
  const presences = new DisposableStack();
  const passes = createPasses(options);
  for (const [path, file] of await readStaticFiles())
    app.get(path, (_request, reply) => sendFile(reply, file));
  for (const [id, terminal] of terminals) {
    const presence = presences.use(
      createPresence({ terminal, clock, onPages: (state) => options.onPages(id, state) }),
    );
    app.get<{ Querystring: { launch?: unknown } }>(`/t/${id}`, ({ query: { launch } }, reply) => {
      if (launch === undefined) return sendFile(reply, page);
      const cookie = typeof launch === 'string' ? passes.launch(launch) : undefined;
      if (cookie !== undefined) void reply.header('set-cookie', cookie);
      // Refused too: a kiosk that was started with a spent secret still takes badges.
      return reply.redirect(`/t/${id}`, 303);
    });
    app.get(`/t/${id}/events`, (request, reply) => {
      const visitor = passes.pageOf(request.headers.cookie);
      reply.hijack();
      // Whoever is gone already would never be seen to go.
      if (request.raw.socket.destroyed) return;
      streams.open({
        source: terminal.view,
        response: reply.raw,
        isPrivate: visitor !== undefined,
        onClose: visitor === undefined ? () => {} : presence.came(visitor),
      });
    });
    answerCommands(app, {
      ...{ path: `/t/${id}/commands`, terminal, presence, passes, clock },
      isFromOwnPage: (request) => isFromOwnPage(hosts, request),
    });
  }

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
    async [Symbol.asyncDispose]() {
      // That the pages lose their connections now is no fault of theirs.
      presences.dispose();
      stop.abort();
      await heartbeat;
      await app.close();
    },
  };
}

const sendFile = (reply: FastifyReply, file: PageFile): FastifyReply => reply.type(file.type).send(file.body);
