/**
 * The listener for monitoring (contract, section 4) and for administrators. The configuration permits callers from
 * other machines only with the token, a certificate or TLS.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { networkInterfaces } from 'node:os';
import { TLSSocket } from 'node:tls';
import { isLoopback } from '../config/schema/values.ts';
import type { Log } from '../core/log.ts';
import type { Secret } from '../core/secret.ts';
import type { ListenAddress } from '../listener/address.ts';
import { hostAndPort } from '../listener/address.ts';
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

interface OwnAddress {
  readonly address: string;
  /** Of the machine itself. */
  readonly internal: boolean;
}

/**
 * The address of this listener for another machine: HOST:PORT, or `null` if no other machine can reach it. The caller
 * has to use it in this form (`listener/gate.ts`). A configured name with a port comes first. For a listener at all
 * addresses it is the first address of `own`, which lists those of this machine.
 */
export function reachableAt(
  { listen, hosts }: { readonly listen: ListenAddress; readonly hosts: readonly string[] },
  own: () => readonly OwnAddress[] = addressesHere,
): string | null {
  const { host, port } = listen;
  if (isLoopback(host)) return null;
  const named = hosts.find((name) => /:\d+$/.test(name) && name.length <= longest);
  if (named !== undefined) return named;
  if (host !== '0.0.0.0' && host !== '::') return hostAndPort(listen);
  const first = own().find(({ address, internal }) => !internal && !isLinkLocal(address));
  return first === undefined ? null : hostAndPort({ host: first.address, port });
}

/** A name of DNS, and a port. */
const longest = 259;
const isLinkLocal = (address: string): boolean => /^(?:fe80:|169\.254\.)/i.test(address);
const addressesHere = (): readonly OwnAddress[] =>
  Object.values(networkInterfaces()).flatMap((found = []) => found);
