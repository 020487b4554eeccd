/**
 * The listener for machines that watch machines (contract, section 4), and for administrators. Beyond this machine only
 * for whoever brings the token or a certificate, or over TLS, which the configuration sees to.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { Log } from '../core/log.ts';
import type { Secret } from '../core/secret.ts';
import type { ListenAddress } from '../listener/address.ts';
import type { ListenerDeps } from '../listener/server.ts';
import { createListener } from '../listener/server.ts';
import type { OperationsPages } from './pages.ts';
import { servePages } from './pages.ts';
import { isOfPage, servePage } from './ui/page.ts';
import { serveOverview } from './ui/overview.ts';

export interface OperationsDeps extends Pick<ListenerDeps, 'listen' | 'kept' | 'names' | 'tls'> {
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

/** Who may read what the operations listener tells: whoever brings its token, or a certificate of its authority. */
interface Credentials {
  /** RFC 6750, 2.1. */
  readonly token: Secret | undefined;
  /** Callers are asked for certificates. */
  readonly wantsCertificate: boolean;
}

/** The status of the refusal; `undefined` lets the caller read. One of the two is enough, where both are wanted. */
function refusalOf(
  { headers: { authorization }, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  { token, wantsCertificate }: Credentials,
): 401 | 403 | undefined {
  if (!token && !wantsCertificate) return undefined;
  if (wantsCertificate && hasShown(socket)) return undefined;
  if (!token) return 403;
  return isSame(authorization ?? '', `Bearer ${token.reveal()}`) ? undefined : 401;
}

/** In a session that is resumed it is the one that was shown in it, if any was. */
const hasShown = (socket: IncomingMessage['socket']): boolean =>
  socket instanceof TLSSocket && socket.authorized && socket.getPeerX509Certificate() !== undefined;

/** Takes as long for a near miss as for any other. */
function isSame(given: string, right: string): boolean {
  const [a, b] = [given, right].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
