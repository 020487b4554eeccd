/**
 * The listener for machines that watch machines: `/healthz`, `/readyz`, `/metrics` (contract, section 4) and `/status`,
 * which `platen status` shows. Reading only; the limits are those of reliability.md T28.
 */
import type { FastifyError } from 'fastify';
import { fastify } from 'fastify';
import type { Log } from '../core/log.ts';
import type { ListenAddress } from '../domain/listener.ts';
import {
  bindAddress,
  blamesTheRequest,
  boundTo,
  listenerLimits,
  listenProblem,
  mostConnections,
} from '../domain/listener.ts';
import type { OperationsPages } from './pages.ts';
import { servePages } from './pages.ts';

export interface OperationsOptions {
  readonly listen: ListenAddress;
  readonly pages: OperationsPages;
  readonly log: Log;
}

export interface Operations extends AsyncDisposable {
  /** Where it listens in fact: port 0 of the configuration is settled by the system. */
  readonly address: ListenAddress;
}

/** Rejects `port-taken` when another program has the address. Disposing cuts all connections at once. */
export async function startOperations(options: OperationsOptions): Promise<Operations> {
  const { log } = options;
  const address = bindAddress(options.listen);
  const app = fastify({
    ...listenerLimits,
    frameworkErrors: (_error, _request, { raw: response }) =>
      void response.writeHead(404, { 'content-length': 0 }).end(),
  });
  app.server.maxConnections = mostConnections;
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  });

  servePages(app, options.pages);
  app.setNotFoundHandler((_request, reply) => reply.code(404).send());
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (blamesTheRequest(error)) return reply.code(404).send();
    log.error('operations request failed', { url: request.url, error });
    return reply.code(500).send();
  });

  try {
    await app.listen(address);
  } catch (cause) {
    await app.close();
    throw listenProblem('operations.listen', address, cause);
  }
  return {
    address: boundTo(address, app.server.address()),
    [Symbol.asyncDispose]: () => app.close(),
  };
}
