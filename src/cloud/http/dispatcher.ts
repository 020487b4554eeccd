/**
 * The way to one server: which authorities are trusted, and which proxy stands in between. TLS 1.2 at least; there is
 * no switch that turns the certificate check off (INVARIANTS.md T22, D16).
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
  /** PEM, added to the roots that are trusted anyway. */
  readonly ca?: string;
  /** Else HTTPS_PROXY is taken; NO_PROXY holds for both. It may carry a user name and a password (Basic). */
  readonly proxyUrl?: Secret;
  /** The system's unless said. */
  readonly lookup?: LookupFunction;
  /** The server, not the proxy, showed a certificate that ends then; wall milliseconds. */
  onCertificate?(end: number): void;
}

/**
 * An idle connection is kept longer than the status loop's interval, so that a badge finds it warm; a server that
 * announces a shorter life (Keep-Alive: timeout) is believed.
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
    // Deadlines are ours (D5); undici's own would only blur them.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idleConnection.usual,
    keepAliveMaxTimeout: idleConnection.longest,
  };
  // A proxy of the environment cannot mean our own loopback.
  if (proxyUrl === undefined && isLoopback(url.hostname)) return new Agent(options);
  return new EnvHttpProxyAgent({
    ...options,
    requestTls: serverTls,
    proxyTls: tls,
    // Plain http is for loopback only; HTTP_PROXY is none of ours.
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
