/**
 * Looks at the way to a server step by step, for `platen check`: has its name an address, and which certificate does
 * it show. The calls themselves ask nothing of the service. A failure rejects with `cloud-unreachable` in words.
 */
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect as connectTcp, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { CallOptions } from '../domain/ports/call.ts';
import { Problem } from '../domain/problem.ts';
import { authorities } from './dispatcher.ts';
import { networkFault } from './network-fault.ts';

/** All addresses of the host; of an address itself. */
export async function addressesOf({ hostname }: URL): Promise<readonly string[]> {
  const host = bare(hostname);
  if (isIP(host) !== 0) return [host];
  try {
    return (await lookup(host, { all: true })).map(({ address }: LookupAddress) => address);
  } catch (cause) {
    throw unreachable(host, cause);
  }
}

export interface SeenCertificate {
  readonly issuer: string;
  /** Wall time. */
  readonly validUntil: number;
  /** `TLSv1.3` */
  readonly protocol: string;
}

/** Connects and goes again; `undefined` where no TLS is spoken, because the address is http. */
export async function certificateOf(
  server: { url: URL; ca?: string },
  { signal }: CallOptions,
): Promise<SeenCertificate | undefined> {
  const { protocol, hostname, port } = server.url;
  const isSecure = protocol === 'https:';
  const host = bare(hostname);
  const to = { host, port: Number(port) || (isSecure ? 443 : 80) };
  const socket = isSecure
    ? connectTls({
        ...to,
        ca: authorities(server.ca),
        minVersion: 'TLSv1.2',
        ...(isIP(host) === 0 ? { servername: host } : {}),
      })
    : connectTcp(to);
  try {
    await once(socket, isSecure ? 'secureConnect' : 'connect', { signal });
    if (!('getPeerX509Certificate' in socket)) return undefined;
    const certificate = socket.getPeerX509Certificate();
    return {
      issuer: certificate?.issuer.replaceAll('\n', ', ') ?? 'nobody',
      validUntil: certificate?.validToDate.getTime() ?? 0,
      protocol: socket.getProtocol() ?? 'TLS',
    };
  } catch (error) {
    throw unreachable(`${to.host}:${to.port}`, signal.aborted ? signal.reason : error);
  } finally {
    socket.destroy();
  }
}

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

const unreachable = (host: string, cause: unknown): Problem =>
  new Problem('cloud-unreachable', `${host}: ${networkFault(cause)}`, { cause, delivery: 'not-sent' });
