/**
 * The listener for machines that watch machines (contract, section 4), and for administrators. Beyond this machine only
 * for whoever brings the token or a certificate, or over TLS, which the configuration sees to.
 */
import type { Log } from '../core/log.ts';
import type { Secret } from '../core/secret.ts';
import type { ListenAddress } from '../listener/address.ts';
import type { ListenerOptions } from '../listener/server.ts';
import { createListener } from '../listener/server.ts';
import { refusalOf } from './callers.ts';
import type { OperationsPages } from './pages.ts';
import { servePages } from './pages.ts';
import { isOfPage, servePage } from './ui/page.ts';
import { serveOverview } from './ui/overview.ts';

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
  const wanted = { token, wantsCertificate: tls?.clientCa !== undefined };
  const listener = createListener({
    ...{ section: 'operations', listen, kept, names, tls, log },
    isOpenTo: isOfPage,
    async admit(request, response) {
      // The files of the page tell nothing; what it asks for then does.
      if (isOfPage(request)) return undefined;
      const refusal = refusalOf(request, wanted);
      if (refusal === 401) response.setHeader('www-authenticate', 'Bearer');
      return refusal;
    },
  });
  servePages(listener.app, pages);
  serveOverview(listener.app, pages.overview, { mayTell: token !== undefined || wanted.wantsCertificate });
  await servePage(listener.app);
  const address = await listener.open();
  return { address, [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose]() };
}
