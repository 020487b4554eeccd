/**
 * Where the HTTP requests for a printer's URI go: `ipp` and `ipps` (RFC 3510, RFC 7472), and queues of CUPS, which are
 * IPP printers at `/printers/QUEUE`. The address is not judged here: it comes from the administrator's configuration or
 * has passed `address-guard.ts`.
 */
import { namesZone, zoneRefusal } from '../../../domain/printer/printer-address.ts';
import { Problem } from '../../../domain/problem/problem.ts';
import type { SpoolerQueue } from '../../../domain/printer/spooler-queue.ts';
import { spoolerQueue } from '../../../domain/printer/spooler-queue.ts';

export interface IppAddress {
  /** As written in `printer-uri`. */
  readonly uri: string;
  /** `http://host:631`. */
  readonly origin: string;
  readonly path: string;
  readonly host: string;
  /** The queue of a spooler, if a spooler is asked instead of the printer. */
  readonly queue?: SpoolerQueue;
}

const ippPort = '631';
const schemes: Readonly<Record<string, string>> = { 'ipp:': 'http:', 'ipps:': 'https:' };

/** Throws `config-invalid` if this is not the address of an IPP printer or a CUPS queue. */
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
