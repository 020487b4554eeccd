/**
 * Who may talk to the kiosk at all: a request that names this listener as its host, and does not come from a page of
 * somebody else (reliability.md D11, T01, T02). And what every answer says to the browser (T06).
 */
import type { IncomingMessage } from 'node:http';
import type { ListenAddress } from '../domain/listener.ts';
import { hostAndPort } from '../domain/listener.ts';

export const securityHeaders = new Map([
  [
    'content-security-policy',
    [
      "default-src 'none'",
      "style-src 'self'",
      "script-src 'self'",
      "connect-src 'self'",
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

/** The only values of `Host` that are answered. */
export const hostsOf = (address: ListenAddress): ReadonlySet<string> =>
  new Set([hostAndPort(address), hostAndPort({ ...address, host: 'localhost' })]);

/** The status of a refusal, always without a body; `undefined` lets the request in. */
export function refusalOf(hosts: ReadonlySet<string>, request: IncomingMessage): 421 | 403 | undefined {
  if (!isAddressedTo(hosts, request)) return 421;
  return isFromElsewhere(hosts, request) ? 403 : undefined;
}

/** Exactly one `Host`, spelled as a browser spells it, and a target without an authority of its own. */
function isAddressedTo(hosts: ReadonlySet<string>, request: IncomingMessage): boolean {
  const { rawHeaders } = request;
  const named = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === 'host');
  const [host] = named;
  return named.length === 1 && host !== undefined && hosts.has(host) && request.url?.[0] === '/';
}

/** Whether a page of another origin asks. A browser says so by Fetch Metadata, an old one by `Origin` at least. */
function isFromElsewhere(hosts: ReadonlySet<string>, request: IncomingMessage): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && !isOwn(hosts, origin);
}

/** Whether the browser says that a page of this listener asks; what changes anything needs its word (T02). */
export function isFromOwnPage(hosts: ReadonlySet<string>, request: IncomingMessage): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin !== undefined && !isOwn(hosts, origin)) return false;
  return site === 'same-origin' || (site === undefined && origin !== undefined);
}

const isOwn = (hosts: ReadonlySet<string>, origin: string): boolean =>
  [...hosts].some((host) => origin === `http://${host}`);
