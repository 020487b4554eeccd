/**
 * The listener for monitoring (contract, section 4) and for administrators. The configuration permits callers from
 * other machines only with the token, a certificate or TLS.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { Log } from '../core/log.ts';
import type { Secret } from '../core/secret.ts';
import type { ListenAddress } from '../listener/address.ts';
import type { ListenerDeps } from '../listener/guarded-listener.ts';
import { createListener } from '../listener/guarded-listener.ts';
import type { OperationsPages } from './pages.ts';
import { servePages } from './pages.ts';
import { serveOverview } from './ui/overview.ts';
import { isOfPage, servePage } from './ui/administrators-page.ts';

export interface OperationsDeps extends Pick<ListenerDeps, 'listen' | 'kept' | 'names' | 'tls'> {
  /** If it is set, a caller needs it (RFC 6750, 2.1). */
  readonly token?: Secret | undefined;
  readonly pages: OperationsPages;
  readonly log: Log;
}

interface Operations extends AsyncDisposable {
  /** The actual address: for port 0 of the configuration the system chooses a port. */
  readonly address: ListenAddress;
}

/** Rejects `port-taken` when another program has the address. Disposing cuts all connections at once. */
export async function startOperations(deps: OperationsDeps): Promise<Operations> {
  const { listen, kept, names, tls, token, pages, log } = deps;
  const wanted = { token, wantsCertificate: tls?.clientCa !== undefined };
  const listener = createListener({
    section: 'operations',
    listen,
    kept,
    names,
    tls,
    log,
    isOpenTo: isOfPage,
    async admit(request, response) {
      // The files of the page hold no data; its questions afterwards do.
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

/** A caller of the operations listener needs its token, or a certificate of its authority. */
interface Credentials {
  /** RFC 6750, 2.1. */
  readonly token: Secret | undefined;
  readonly wantsCertificate: boolean;
}

/** The status of the refusal; `undefined` lets the caller read. If both are set, one of the two is enough. */
function refusalOf(
  { headers: { authorization }, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  { token, wantsCertificate }: Credentials,
): 401 | 403 | undefined {
  if (!token && !wantsCertificate) return undefined;
  if (wantsCertificate && hasShown(socket)) return undefined;
  if (!token) return 403;
  return isSame(authorization ?? '', `Bearer ${token.reveal()}`) ? undefined : 401;
}

/** A resumed session has the certificate that was shown in it, if there was one. */
const hasShown = (socket: IncomingMessage['socket']): boolean =>
  socket instanceof TLSSocket && socket.authorized && socket.getPeerX509Certificate() !== undefined;

/** Takes the same time for all wrong values. */
function isSame(given: string, right: string): boolean {
  const [a, b] = [given, right].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
