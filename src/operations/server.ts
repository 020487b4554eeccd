/**
 * The listener for machines that watch machines (contract, section 4). Reading only; beyond this machine only for whoever
 * brings the token, or over TLS, which the configuration sees to.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Log } from '../core/log.ts';
import type { Secret } from '../core/secret.ts';
import type { ListenAddress } from '../listener/address.ts';
import type { ListenerOptions } from '../listener/server.ts';
import { createListener } from '../listener/server.ts';
import type { OperationsPages } from './pages.ts';
import { servePages } from './pages.ts';

export interface OperationsOptions extends Pick<ListenerOptions, 'listen' | 'kept' | 'names' | 'tls'> {
  /** Without it nobody is answered, where there is one (RFC 6750, 2.1). */
  readonly token?: Secret | undefined;
  readonly pages: OperationsPages;
  readonly log: Log;
}

export interface Operations extends AsyncDisposable {
  /** Where it listens in fact: port 0 of the configuration is settled by the system. */
  readonly address: ListenAddress;
}

/** Rejects `port-taken` when another program has the address. Disposing cuts all connections at once. */
export async function startOperations(options: OperationsOptions): Promise<Operations> {
  const { listen, kept, names, tls, token, pages, log } = options;
  const listener = createListener({
    ...{ section: 'operations', listen, kept, names, tls, log },
    async admit({ headers: { authorization } }, response) {
      if (!token || isSame(authorization ?? '', `Bearer ${token.reveal()}`)) return undefined;
      response.setHeader('www-authenticate', 'Bearer');
      return 401;
    },
  });
  servePages(listener.app, pages);
  const address = await listener.open();
  return { address, [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose]() };
}

/** Takes as long for a near miss as for any other. */
function isSame(given: string, right: string): boolean {
  const [a, b] = [given, right].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
