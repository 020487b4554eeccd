/**
 * Tests the way to a server step by step, for `platen check`: the address of its name, the connection, the proxy, and
 * its certificate. It sends no request to the service. A failure rejects with `cloud-unreachable` in words.
 */
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { connect as connectTcp, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { printable } from '../../core/text/printable.ts';
import type { Secret } from '../../core/secret.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { authorities } from '../http/dispatcher.ts';
import { networkFault } from '../http/network-fault.ts';

export interface Way {
  readonly url: URL;
  /** PEM, added to the trusted roots. */
  readonly ca?: string;
  readonly proxy?: URL | undefined;
}

/** All addresses of the host; an address gives itself. */
export async function addressesOf({ hostname }: URL): Promise<readonly string[]> {
  const host = bare(hostname);
  if (isIP(host) !== 0) return [host];
  try {
    return (await lookup(host, { all: true })).map(({ address }: LookupAddress) => address);
  } catch (cause) {
    throw unreachable(host, cause);
  }
}

/** Connects, to the proxy if there is one, and closes; gives the address of the other end. */
export async function connectOnce({ url, proxy }: Way, { signal }: CallOptions): Promise<string> {
  const to = placeOf(proxy ?? url);
  const socket = connectTcp(to);
  try {
    await once(socket, 'connect', { signal });
    return `${socket.remoteAddress ?? to.host}:${to.port}`;
  } catch (error) {
    throw unreachable(`${to.host}:${to.port}`, signal.aborted ? signal.reason : error);
  } finally {
    socket.destroy();
  }
}

export interface SeenCertificate {
  readonly issuer: string;
  /** Wall time. */
  readonly validUntil: number;
  /** `TLSv1.3` */
  readonly protocol: string;
}

/** Connects and closes. For https addresses only. */
export async function certificateOf(
  { url, ca, proxy }: Way,
  { signal }: CallOptions,
): Promise<SeenCertificate> {
  const to = placeOf(url);
  let socket: Socket | undefined;
  try {
    const tunnel = proxy === undefined ? undefined : await tunnelThrough(proxy, to, signal);
    const secure = connectTls({
      // The certificate is compared with the host, also if the connection goes through a proxy.
      ...to,
      ...(tunnel === undefined ? {} : { socket: tunnel }),
      ca: authorities(ca),
      minVersion: 'TLSv1.2',
      ...(isIP(to.host) === 0 ? { servername: to.host } : {}),
      // Checked below, where its issuer can be named; nothing is sent.
      rejectUnauthorized: false,
    });
    socket = secure;
    await once(secure, 'secureConnect', { signal });
    const certificate = secure.getPeerX509Certificate();
    const issuer = certificate?.issuer.replaceAll('\n', ', ') ?? 'nobody';
    if (!secure.authorized) {
      // Typed as an error, but in fact its code.
      const code = String(secure.authorizationError);
      throw Object.assign(new Error(code), { code, issuer });
    }
    return {
      issuer,
      validUntil: certificate?.validToDate.getTime() ?? 0,
      protocol: secure.getProtocol() ?? 'TLS',
    };
  } catch (error) {
    throw unreachable(`${to.host}:${to.port}`, signal.aborted ? signal.reason : error);
  } finally {
    socket?.destroy();
  }
}

/** CONNECT of RFC 9110 section 9.3.6; supports plain-http proxies only. */
async function tunnelThrough(proxy: URL, to: Place, signal: AbortSignal): Promise<Socket> {
  const login = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const authority = `${to.host}:${to.port}`;
  const asking = request({
    ...placeOf(proxy),
    method: 'CONNECT',
    path: authority,
    headers: {
      host: authority,
      ...(proxy.username === ''
        ? {}
        : { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` }),
    },
    signal,
  }).end();
  const [answer, socket] = (await once(asking, 'connect')) as [IncomingMessage, Socket];
  if (answer.statusCode === 200) return socket;
  socket.destroy();
  throw new Error(`Proxy response (${String(answer.statusCode)})`);
}

/** The proxy of the calls, chosen as in `openDispatcher`: the configured one, else the one of the environment. */
export function proxyFor(
  url: URL,
  { proxyUrl, env }: { proxyUrl?: Secret; env: Readonly<Record<string, string | undefined>> },
): URL | undefined {
  const isHere = url.hostname === 'localhost' || url.hostname === '[::1]' || url.hostname.startsWith('127.');
  const named = proxyUrl?.reveal() ?? (isHere ? undefined : (env['https_proxy'] ?? env['HTTPS_PROXY']));
  if (named === undefined || !URL.canParse(named)) return undefined;
  const exceptions = (env['no_proxy'] ?? env['NO_PROXY'] ?? '').split(/[\s,]+/).filter(Boolean);
  return exceptions.some((one) => isExcepted(url, one)) ? undefined : new URL(named);
}

/** As undici reads NO_PROXY: a name includes all names below it, `*.name` only those below. */
function isExcepted({ hostname, port }: URL, exception: string): boolean {
  const [, star, host = '', only] = /^(\*?)\.?(.*?)(?::(\d+))?$/.exec(exception.toLowerCase()) ?? [];
  if (only !== undefined && only !== (port || '443')) return false;
  if (host === '') return star === '*';
  return (star === '' && hostname === host) || hostname.endsWith(`.${host}`);
}

interface Place {
  readonly host: string;
  readonly port: number;
}

const placeOf = ({ protocol, hostname, port }: URL): Place => ({
  host: bare(hostname),
  port: Number(port) || (protocol === 'https:' ? 443 : 80),
});

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

function unreachable(host: string, cause: unknown): Problem {
  const issuer = cause instanceof Error && 'issuer' in cause ? printable(String(cause.issuer)) : undefined;
  const met = issuer === undefined ? '' : `. It was issued by ${issuer}`;
  const message = `${host}: ${networkFault(cause)}${met}`;
  return new Problem('cloud-unreachable', message, { cause, delivery: 'not-sent' });
}
