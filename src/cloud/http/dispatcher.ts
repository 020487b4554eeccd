/**
 * The way to one server: the trusted authorities, and a proxy if there is one. TLS 1.2 at least; no option turns the
 * certificate check off (INVARIANTS.md T22, D16).
 */
import type { LookupFunction } from 'node:net';
import type { PeerCertificate } from 'node:tls';
import { checkServerIdentity, createSecureContext, getCACertificates } from 'node:tls';
import type { Dispatcher } from 'undici';
import { Agent, EnvHttpProxyAgent } from 'undici';
import { parseInstant } from '../../core/clock.ts';
import { minutes } from '../../core/duration.ts';
import type { Secret } from '../../core/secret.ts';

export interface Route {
  readonly url: URL;
  /** PEM, added to the trusted roots. */
  readonly ca?: string;
  /** By default HTTPS_PROXY; NO_PROXY applies to both. It may carry a user name and a password (Basic). */
  readonly proxyUrl?: Secret;
  /** By default the system's. */
  readonly lookup?: LookupFunction;
  /** The server, not the proxy, showed a certificate with this end, in wall milliseconds. */
  onCertificate?(end: number): void;
}

/**
 * An idle connection is kept longer than the interval of the status loop, so that a badge finds it open. If a server
 * announces a shorter life (Keep-Alive: timeout), that counts.
 */
const idleConnection = { usual: minutes(5), longest: minutes(10) };

export function openDispatcher({ url, ca, proxyUrl, lookup, onCertificate }: Route): Dispatcher {
  const tls = {
    // One context for all connections: reading the roots takes a tenth of a second.
    secureContext: createSecureContext({
      minVersion: 'TLSv1.2',
      ...(url.protocol === 'https:' ? { ca: authorities(ca) } : {}),
    }),
    rejectUnauthorized: true,
    ...(lookup === undefined ? {} : { lookup }),
  };
  const serverTls = {
    ...tls,
    checkServerIdentity(host: string, certificate: PeerCertificate): Error | undefined {
      const end = parseInstant(certificate.valid_to);
      if (end !== undefined) onCertificate?.(end);
      return checkServerIdentity(host, certificate);
    },
  };
  const options = {
    connect: serverTls,
    allowH2: false,
    // The deadlines are ours (D5); undici's own would only interfere.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idleConnection.usual,
    keepAliveMaxTimeout: idleConnection.longest,
  };
  // A proxy of the environment cannot be meant for our own loopback.
  if (proxyUrl === undefined && isLoopback(url.hostname)) return new Agent(options);
  return new EnvHttpProxyAgent({
    ...options,
    requestTls: serverTls,
    proxyTls: tls,
    // Plain http is for loopback only, so HTTP_PROXY is not used.
    httpProxy: proxyUrl?.reveal() ?? '',
    ...(proxyUrl === undefined ? {} : { httpsProxy: proxyUrl.reveal() }),
  });
}

/** Node's own roots, the system's, those of NODE_EXTRA_CA_CERTS, and the configured ones (contract, section 2). */
export const authorities = (ca: string | undefined): string[] => [
  ...new Set([...getCACertificates('default'), ...getCACertificates('system')]),
  ...(ca === undefined ? [] : [ca]),
];

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
