/**
 * Where the HTTP of a printer's URI goes: `ipp` and `ipps` (RFC 3510, RFC 7472), and the queues of CUPS, which are IPP
 * printers at `/printers/QUEUE`. No name or number in it is judged here: it is the administrator's, from the
 * configuration, or has passed `address-guard.ts`.
 */
import { namesZone, zoneRefusal } from '../../../domain/printer/printer-address.ts';
import { Problem } from '../../../domain/problem/problem.ts';
import type { SpoolerQueue } from '../../../domain/printer/spooler-queue.ts';
import { spoolerQueue } from '../../../domain/printer/spooler-queue.ts';

export interface IppAddress {
  /** As it stands in `printer-uri`. */
  readonly uri: string;
  /** `http://host:631`. */
  readonly origin: string;
  readonly path: string;
  readonly host: string;
  /** The queue of a spooler that is asked in place of the printer. */
  readonly queue?: SpoolerQueue;
}

const ippPort = '631';
const schemes: Readonly<Record<string, string>> = { 'ipp:': 'http:', 'ipps:': 'https:' };

/** Throws `config-invalid` for what is no address of an IPP printer or a queue of CUPS. */
export function ippAddress(uri: string): IppAddress {
  const queue = spoolerQueue(uri);
  if (queue) {
    const scheme = queue.isSecure ? 'ipps' : 'ipp';
    return { ...httpAddress(`${scheme}://${queue.server ?? 'localhost'}/printers/${queue.name}`), queue };
  }
  return httpAddress(uri);
}

function httpAddress(uri: string): IppAddress {
  if (namesZone(uri)) throw new Problem('config-invalid', `the address of the printer ${zoneRefusal}`);
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  const scheme = url && schemes[url.protocol];
  if (!url || !scheme || url.hostname === '') {
    throw new Problem(
      'config-invalid',
      'the printer needs an address like ipp://10.0.0.7/ipp/print or cups:QUEUE',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new Problem('config-invalid', 'the address of a printer carries no user name and no password');
  }
  return {
    uri,
    origin: `${scheme}//${url.hostname}:${url.port || ippPort}`,
    path: `${url.pathname || '/'}${url.search}`,
    host: url.hostname,
  };
}
