/**
 * Decides which requests reach a local listener at all: a request must name this listener as its host, and must not
 * come from a page of another site (INVARIANTS.md D11, T01, T02). The file also has the headers that every answer gives
 * to a browser (T06).
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ListenAddress } from './address.ts';
import { hostAndPort } from './address.ts';

export const securityHeaders = new Map([
  [
    'content-security-policy',
    [
      "default-src 'none'",
      "style-src 'self'",
      "script-src 'self'",
      "connect-src 'self'",
      "img-src 'self'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
  ],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['x-content-type-options', 'nosniff'],
  ['cache-control', 'no-store'],
  ['referrer-policy', 'no-referrer'],
]);

export interface Gate {
  /** The status of a refusal, always without a body; `undefined` lets the request in. */
  refusalOf(request: IncomingMessage, isOpenTo: (request: IncomingMessage) => boolean): 421 | 403 | undefined;
  /**
   * Whether the browser says that a page of this listener asks. Every request that changes anything needs that (T02).
   */
  isFromOwnPage(request: IncomingMessage): boolean;
}

export function createGate(listener: {
  readonly scheme: 'http' | 'https';
  readonly address: ListenAddress;
  /** The names that callers write in `Host`, besides the address. */
  readonly names: readonly string[];
}): Gate {
  const { scheme, address, names } = listener;
  const hosts = new Set([hostAndPort(address), hostAndPort({ ...address, host: 'localhost' }), ...names]);
  const isOwn = (origin: string): boolean => [...hosts].some((host) => origin === `${scheme}://${host}`);

  /** Exactly one `Host`, spelled as a browser spells it, and a target without an authority of its own. */
  function isAddressed({ rawHeaders, socket, url }: IncomingMessage): boolean {
    const named = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === 'host');
    const [host] = named;
    if (named.length !== 1 || host === undefined || url?.[0] !== '/') return false;
    return hosts.has(host) || host === reachedAt(socket);
  }

  /**
   * Whether a page of another origin asks. A browser says so by Fetch Metadata, and an old browser at least by
   * `Origin`.
   */
  function isFromElsewhere({ headers }: IncomingMessage): boolean {
    const { origin, 'sec-fetch-site': site } = headers;
    if (site !== undefined) return site !== 'same-origin' && site !== 'none';
    return origin !== undefined && !isOwn(origin);
  }

  return {
    refusalOf(request, isOpenTo) {
      if (!isAddressed(request)) return 421;
      if (!isFromElsewhere(request) || (isFollowedLink(request) && isOpenTo(request))) return undefined;
      return 403;
    },
    isFromOwnPage({ headers }) {
      const { origin, 'sec-fetch-site': site } = headers;
      if (origin !== undefined && !isOwn(origin)) return false;
      return site === 'same-origin' || (site === undefined && origin !== undefined);
    },
  };
}

/**
 * The user goes there with the whole window, so no page of another origin sees the answer (Fetch Metadata, 2.1 and
 * 2.2).
 */
const isFollowedLink = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';

/** The local address itself, if a listener has several. A foreign name cannot lead there by it (T01). */
const reachedAt = ({ localAddress = '', localPort = 0 }: Socket): string =>
  hostAndPort({ host: localAddress.replace(/^::ffff:(?=\d+\.)/, ''), port: localPort });
