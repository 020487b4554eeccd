/**
 * What answers in HTTP alone means: something is there, but not the printer of this address (RFC 9110 section 15). It
 * wants TLS (RFC 2817), sends us elsewhere, has no printer at this path, or is no printer at all. Each is told with the
 * address to write, where that follows from the answer. Nothing is tried by itself, and nobody is followed.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { Problem } from '../../../domain/problem/problem.ts';
import type { ProblemCode } from '../../../domain/problem/problem-kinds.ts';
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

/** Most 5xx may come from a printer that has acted, and so may 2xx and See Other; everything else is a clear no. */
const clearNo: ReadonlySet<number> = new Set([501, 503, 505, 511]);
const mayHaveActed = (status: number): boolean =>
  (status >= 500 && !clearNo.has(status)) || status < 300 || status === 303;

/** Of no status that says OK. */
export function httpRefusal({ status, headers }: Refusing, asked: Asked): Problem {
  const { code, says, advice } = meaningOf({ status, headers }, asked);
  return new Problem(code, `${asked.host} ${says}`, {
    status,
    delivery: mayHaveActed(status) ? 'perhaps' : 'answered',
    ...(advice === undefined ? {} : { advice }),
  });
}

/** What would have gone out in the clear, and does not. */
export const wantsTls = (asked: Asked): Problem =>
  new Problem(
    'printer-tls-wanted',
    `${asked.host} ${tlsWanted('has asked for TLS', secureUri(asked)).says}`,
    {
      delivery: 'not-sent',
    },
  );

/** Of an answer that says OK and is not IPP: a page of the printer, of a proxy, or of whoever lets people into the network. */
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
  /** After the host. */
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

/** RFC 9110 section 7.4; CUPS answers so to a Host that it does not take for its own (OpenPrinting/cups#1473). */
const unknownName = (host: string): string =>
  `CUPS answers this if it does not know the name ${host} as its own. Write its IP address into printer.uri, or ServerAlias ${host} into its cupsd.conf. Otherwise check for a proxy in between, or update the firmware.`;

const isName = (host: string): boolean => isIP(host) === 0 && !host.startsWith('[');

/** Not Found, Method Not Allowed, Not Acceptable, Gone, Unsupported Media Type, Misdirected Request, Not Implemented. */
const noPath: ReadonlySet<number> = new Set([404, 405, 406, 410, 415, 421, 501]);

/** A proxy or the network itself wants somebody to log in (RFC 9110 section 15.5.8, RFC 6585 section 6). */
const noPrinter: ReadonlySet<number> = new Set([407, 511]);

const tlsWanted = (says: string, uri: string): Meaning => ({
  code: 'printer-tls-wanted',
  says: `${says}: it wants TLS. Write uri: ${uri}`,
});

/** The same host by TLS is what an embedded web page sends people to; another path may be a page for them as well. */
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

/** What a header says is shown to people: an address and nothing else, of a length that can be read. */
function targetOf(location: string | undefined, { origin, path }: Asked): URL | undefined {
  const base = new URL(path, origin);
  if (location === undefined || location.length > longestTarget || !URL.canParse(location, base.href))
    return undefined;
  const target = new URL(location, base);
  const scheme = schemes[target.protocol];
  if (scheme === undefined || scheme === target.protocol) return scheme === undefined ? undefined : target;
  return new URL(`${scheme}//${target.hostname}:${target.port || '631'}${target.pathname}`);
}

/** RFC 3510, RFC 7472: their port is 631 unless said. */
const schemes: Readonly<Record<string, string>> = {
  'http:': 'http:',
  'https:': 'https:',
  'ipp:': 'http:',
  'ipps:': 'https:',
};

const longestTarget = 255;

/** By TLS on the port that it was asked on, as CUPS has both on one (RFC 2817 section 3), or where it sends us. */
function secureUri({ origin, path, queue }: Asked, there?: URL): string {
  const { hostname, port } = new URL(origin);
  const at = `${hostname}:${port || '80'}`;
  const own = queue ? `cupss://${at}/${queue.name}` : `ipps://${at}${path}`;
  if (!there) return own;
  const isPage = there.pathname === '/' || there.pathname === '';
  return `ipps://${there.hostname}:${there.port || '443'}${isPage ? path : there.pathname}`;
}

/** The same address under the scheme and with the port of IPP. No user name, no query: nobody types those. */
const ippUri = ({ protocol, hostname, port, pathname }: URL): string =>
  protocol === 'https:'
    ? `ipps://${hostname}:${port || '443'}${pathname}`
    : `ipp://${hostname}:${port || '80'}${pathname}`;

/** Its own words for a page are shown without what is behind them. */
const typeOf = (headers: IncomingHttpHeaders): string =>
  (headers['content-type'] ?? 'nothing').split(';', 1)[0] ?? 'nothing';
