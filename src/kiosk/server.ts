/**
 * The kiosk's listener (contract, section 4): a page for each terminal, its events, its static files, and 404 for
 * everything else. Loopback only; who is let in is `gate.ts`, the limits are those of reliability.md T28.
 */
import type { FastifyError, FastifyReply } from 'fastify';
import { fastify } from 'fastify';
import { isLoopback } from '../config/values.ts';
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
import { Problem } from '../domain/problem.ts';
import type { TerminalViewSource } from '../domain/terminal-view.ts';
import { hostsOf, refusalOf, securityHeaders } from './gate.ts';
import type { PageFile } from './page.ts';
import { page, readStaticFiles } from './page.ts';
import { createStreams } from './streams.ts';

export interface KioskOptions {
  readonly listen: ListenAddress;
  readonly terminals: ReadonlyMap<string, TerminalViewSource>;
  readonly clock: Clock;
  readonly log: Log;
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
  app.server.maxConnections = mostConnections;
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.setHeaders(securityHeaders);
    const refusal = refusalOf(hosts, request.raw);
    return refusal === undefined ? undefined : reply.code(refusal).send();
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send());
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (blamesTheRequest(error)) return reply.code(404).send();
    log.error('kiosk request failed', { url: request.url, error });
    return reply.code(500).send();
  });

  const streams = createStreams({ clock });
  for (const [path, file] of await readStaticFiles())
    app.get(path, (_request, reply) => sendFile(reply, file));
  for (const [id, source] of terminals) {
    app.get(`/t/${id}`, (_request, reply) => sendFile(reply, page));
    app.get(`/t/${id}/events`, (_request, reply) => {
      reply.hijack();
      streams.open({ source, response: reply.raw });
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
      stop.abort();
      await heartbeat;
      await app.close();
    },
  };
}

const sendFile = (reply: FastifyReply, file: PageFile): FastifyReply => reply.type(file.type).send(file.body);
