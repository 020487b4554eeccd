/**
 * Explains answers that are not IPP: HTTP of another kind, and a failed TLS handshake. With HTTP a server is there,
 * but not the printer of this address (RFC 9110 section 15). It may want TLS (RFC 2817), redirect, have no printer at
 * this path, or be no printer at all. Each message has the address to write if it follows from the answer. Nothing is
 * tried automatically, and no redirect is followed.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { ProblemCode } from '../../../domain/problem/problem-kinds.ts';
import { Problem } from '../../../domain/problem/problem.ts';
import type { IppAddress } from './ipp-address.ts';

interface Refusing {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

interface Senseless {
  readonly headers: IncomingHttpHeaders;
  readonly length: number;
  readonly cause: unknown;
}

type Asked = Pick<IppAddress, 'origin' | 'path' | 'host' | 'queue'>;

/**
 * After most 5xx the printer may have acted, and also after 2xx and See Other. Every other status is a clear refusal.
 */
const clearNo: ReadonlySet<number> = new Set([501, 503, 505, 511]);
const mayHaveActed = (status: number): boolean =>
  (status >= 500 && !clearNo.has(status)) || status < 300 || status === 303;

/** Takes any status except OK. */
export function httpRefusal({ status, headers }: Refusing, asked: Asked): Problem {
  const { code, says, advice } = meaningOf({ status, headers }, asked);
  return new Problem(code, `${asked.host} ${says}`, {
    status,
    delivery: mayHaveActed(status) ? 'perhaps' : 'answered',
    ...(advice === undefined ? {} : { advice }),
  });
}

/** For a request that would have gone out unencrypted and does not. */
export const wantsTls = (asked: Asked): Problem =>
  new Problem(
    'printer-tls-wanted',
    `${asked.host} ${tlsWanted('has asked for TLS', secureUri(asked)).says}`,
    {
      delivery: 'not-sent',
    },
  );

/** For an answer that says OK and is not IPP: a page of the printer, of a proxy, or of a login page of the network. */
export function notIpp({ headers, length, cause }: Senseless, { host }: Asked): Problem {
  const type = typeOf(headers);
  const options = { cause, delivery: 'perhaps' } as const;
  if (length === 0) {
    return new Problem('printer-no-ipp', `${host} answered nothing at all instead of IPP`, options);
  }
  if (type === 'application/ipp' || type === 'nothing') {
    return new Problem('printer-protocol', `${host} answered what is not IPP, as ${type}`, options);
  }
  return new Problem('printer-no-ipp', `${host} answered what is not IPP, as ${type}`, options);
}

interface Meaning {
  readonly code: ProblemCode;
  /** The text after the host. */
  readonly says: string;
  readonly advice?: string;
}

function meaningOf({ status, headers }: Refusing, asked: Asked): Meaning {
  const says = `answered HTTP ${status}`;
  if (status === 426 && !asked.origin.startsWith('https:')) return tlsWanted(says, secureUri(asked));
  if (status >= 300 && status < 400) return sendsElsewhere(says, headers.location, asked);
  if (noPath.has(status))
    return { code: 'printer-path-unknown', says: `${says}: no printer at ${asked.path}` };
  if (status === 401 || status === 403) return { code: 'printer-denied', says };
  if (status === 429 || status === 503) return { code: 'printer-busy', says };
  if (noPrinter.has(status) || status < 300) {
    return { code: 'printer-no-ipp', says: `${says} with ${typeOf(headers)} instead of IPP` };
  }
  const senseless = {
    code: 'printer-protocol',
    says: `${says} with ${typeOf(headers)} instead of IPP`,
  } as const;
  return status === 400 && isName(asked.host) ? { ...senseless, advice: unknownName(asked.host) } : senseless;
}

/** RFC 9110 section 7.4; CUPS answers so if it does not know the Host as its own (OpenPrinting/cups#1473). */
const unknownName = (host: string): string =>
  `CUPS answers this if it does not know the name ${host} as its own. Write its IP address into printer.uri, or ServerAlias ${host} into its cupsd.conf. Otherwise check for a proxy in between, or update the firmware.`;

const isName = (host: string): boolean => isIP(host) === 0 && !host.startsWith('[');

/** Not Found, Method Not Allowed, Not Acceptable, Gone, Unsupported Media Type, Misdirected Request, Not Implemented. */
const noPath: ReadonlySet<number> = new Set([404, 405, 406, 410, 415, 421, 501]);

/** A proxy or the network itself wants a login (RFC 9110 section 15.5.8, RFC 6585 section 6). */
const noPrinter: ReadonlySet<number> = new Set([407, 511]);

const tlsWanted = (says: string, uri: string): Meaning => ({
  code: 'printer-tls-wanted',
  says: `${says}: it wants TLS. Write uri: ${uri}`,
});

/** Embedded web pages redirect people to the same host with TLS. A redirect to another path may also be for people. */
function sendsElsewhere(says: string, location: string | undefined, asked: Asked): Meaning {
  const there = targetOf(location, asked);
  if (!there)
    return {
      code: 'printer-moved',
      says: `${says}: it sends Platen to another address, but does not say which`,
    };
  const here = new URL(asked.origin);
  const isHere = there.hostname === here.hostname;
  if (isHere && there.protocol === 'https:' && here.protocol === 'http:') {
    return tlsWanted(says, secureUri(asked, there));
  }
  const way = ippUri(there);
  const who = isHere ? 'to another address' : 'to another host';
  return {
    code: 'printer-moved',
    says: `${says}: it sends Platen ${who}. If the printer is there, write uri: ${way}`,
  };
}

/** A header is shown to people, so it must be only an address of a readable length. */
function targetOf(location: string | undefined, { origin, path }: Asked): URL | undefined {
  const base = new URL(path, origin);
  if (location === undefined || location.length > longestTarget || !URL.canParse(location, base.href))
    return undefined;
  const target = new URL(location, base);
  const scheme = schemes[target.protocol];
  if (scheme === undefined || scheme === target.protocol) return scheme === undefined ? undefined : target;
  return new URL(`${scheme}//${target.hostname}:${target.port || '631'}${target.pathname}`);
}

/** RFC 3510, RFC 7472: the port is 631 unless given. */
const schemes: Readonly<Record<string, string>> = {
  'http:': 'http:',
  'https:': 'https:',
  'ipp:': 'http:',
  'ipps:': 'https:',
};

const longestTarget = 255;

/** With TLS on the same port, because CUPS has both on one port (RFC 2817 section 3), or at the redirect's target. */
function secureUri({ origin, path, queue }: Asked, there?: URL): string {
  const { hostname, port } = new URL(origin);
  const at = `${hostname}:${port || '80'}`;
  const own = queue ? `cupss://${at}/${queue.name}` : `ipps://${at}${path}`;
  if (!there) return own;
  const isPage = there.pathname === '/' || there.pathname === '';
  return `ipps://${there.hostname}:${there.port || '443'}${isPage ? path : there.pathname}`;
}

/**
 * The same address under the scheme of IPP and with its port. User name and query are left out, because people do not
 * type them.
 */
const ippUri = ({ protocol, hostname, port, pathname }: URL): string =>
  protocol === 'https:'
    ? `ipps://${hostname}:${port || '443'}${pathname}`
    : `ipp://${hostname}:${port || '80'}${pathname}`;

/** Parameters after the type are not shown. */
const typeOf = (headers: IncomingHttpHeaders): string =>
  (headers['content-type'] ?? 'nothing').split(';', 1)[0] ?? 'nothing';

interface TlsFault {
  readonly code: ProblemCode;
  /** The text after the printer's name. */
  readonly says: string;
}

const oldVersion: TlsFault = { code: 'printer-tls-too-old', says: 'speaks no TLS newer than 1.1' };
const weak: TlsFault = {
  code: 'printer-tls-too-old',
  says: 'has no cipher or no key for TLS that is still safe',
};
const noTls: TlsFault = { code: 'printer-tls-missing', says: 'does not speak TLS at this port' };
const wantsOurs: TlsFault = {
  code: 'printer-tls-refused',
  says: 'wants a certificate of this terminal, which has none',
};

const faults: Readonly<Record<string, TlsFault>> = {
  // The printer's ServerHello is TLS 1.1 or older, or it answers our 1.2 and 1.3 with the alert protocol_version.
  UNSUPPORTED_PROTOCOL: oldVersion,
  TLSV1_ALERT_PROTOCOL_VERSION: oldVersion,
  // The alerts handshake_failure (no common cipher; older OpenSSL names it after SSLv3) and insufficient_security.
  'SSL/TLS_ALERT_HANDSHAKE_FAILURE': weak,
  SSLV3_ALERT_HANDSHAKE_FAILURE: weak,
  TLSV1_ALERT_INSUFFICIENT_SECURITY: weak,
  // The printer chose something below our level: Diffie-Hellman, signatures, keys, renegotiation older than RFC 5746.
  DH_KEY_TOO_SMALL: weak,
  EE_KEY_TOO_SMALL: weak,
  CA_KEY_TOO_SMALL: weak,
  CA_MD_TOO_WEAK: weak,
  LEGACY_SIGALG_DISALLOWED_OR_UNSUPPORTED: weak,
  WRONG_SIGNATURE_TYPE: weak,
  UNSAFE_LEGACY_RENEGOTIATION_DISABLED: weak,
  // The answer is not a TLS record, usually plain HTTP.
  WRONG_VERSION_NUMBER: noTls,
  PACKET_LENGTH_TOO_LONG: noTls,
  TLSV13_ALERT_CERTIFICATE_REQUIRED: wantsOurs,
  'SSL/TLS_ALERT_BAD_CERTIFICATE': wantsOurs,
};

const prefix = 'ERR_SSL_';

/**
 * The meaning of a failed TLS handshake with a printer, by OpenSSL's reason as Node gives it: `ERR_SSL_` and the text
 * of openssl/sslerr.h or tls1.h. An alert comes from the printer (RFC 8446 section 6.2). Node speaks TLS 1.2 and 1.3,
 * with ciphers and keys of OpenSSL's security level 2 or more, and there is no switch to lower that.
 * `acquaintance.ts` judges certificates. `undefined` if the code is not about TLS.
 */
export function tlsFault(code: string): TlsFault | undefined {
  const known = code.startsWith(prefix) ? faults[code.slice(prefix.length)] : undefined;
  if (known) return known;
  const isTls = code.startsWith(prefix) || code === 'EPROTO';
  return isTls ? { code: 'printer-tls-refused', says: `broke off TLS with ${code}` } : undefined;
}
