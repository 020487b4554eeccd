/**
 * The way to one server: which authorities are trusted, and which proxy stands in between. TLS 1.2 at least; there is
 * no switch that turns the certificate check off (reliability.md T22, D16).
 */
import { createSecureContext, getCACertificates } from 'node:tls';
import type { Dispatcher } from 'undici';
import { Agent, EnvHttpProxyAgent } from 'undici';

export interface Route {
  readonly url: URL;
  /** PEM, added to the roots that are trusted anyway. */
  readonly ca?: string;
  /** Else HTTPS_PROXY is taken; NO_PROXY holds for both. */
  readonly proxyUrl?: string;
}

export function openDispatcher({ url, ca, proxyUrl }: Route): Dispatcher {
  const tls = {
    // One context for all connections: reading the roots takes a tenth of a second.
    secureContext: createSecureContext({
      minVersion: 'TLSv1.2',
      ...(url.protocol === 'https:' ? { ca: authorities(ca) } : {}),
    }),
    rejectUnauthorized: true,
  };
  const options = {
    connect: tls,
    allowH2: false,
    // Deadlines are ours (D5); undici's own would only blur them.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  // A proxy of the environment cannot mean our own loopback.
  if (proxyUrl === undefined && isLoopback(url.hostname)) return new Agent(options);
  return new EnvHttpProxyAgent({
    ...options,
    requestTls: tls,
    proxyTls: tls,
    // Plain http is for loopback only; HTTP_PROXY is none of ours.
    httpProxy: proxyUrl ?? '',
    ...(proxyUrl === undefined ? {} : { httpsProxy: proxyUrl }),
  });
}

/** Node's own roots, the system's, those of NODE_EXTRA_CA_CERTS, and the configured ones (contract, section 2). */
const authorities = (ca: string | undefined): string[] => [
  ...new Set([...getCACertificates('default'), ...getCACertificates('system')]),
  ...(ca === undefined ? [] : [ca]),
];

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
