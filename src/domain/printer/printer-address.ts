/** The address of a printer in one normal form, so that one printer can be told from another. */
import { spoolerQueue } from './spooler-queue.ts';

const defaultPorts: Readonly<Record<string, string>> = { 'ipp:': '631', 'ipps:': '631', 'socket:': '9100' };

/** The same text for every way to write the address of one printer. */
export function printerAddress(uri: string): string {
  const queue = spoolerQueue(uri);
  // The queue is the same with and without TLS.
  if (queue) return `cups://${withPort(queue.server ?? 'localhost', '631')}/${queue.name}`.toLowerCase();
  if (!URL.canParse(uri)) return uri;
  const { protocol, host, pathname } = new URL(uri);
  if (host === '') return uri;
  return `${protocol}//${withPort(host, defaultPorts[protocol] ?? '')}`.toLowerCase() + (pathname || '/');
}

/** The two addresses may be spelled differently, by another person or another gateway of the fleet. */
export const isSamePrinter = (one: string, other: string): boolean =>
  one === other || printerAddress(one) === printerAddress(other);

/**
 * A link-local IPv6 address with a zone (RFC 6874). Node's URL does not read it, and it is valid behind one interface
 * only.
 */
export const namesZone = (uri: string): boolean => /^[a-z]+:\/\/\[[^\]]*%/i.test(uri);

/** Follows the words that name the address. */
export const zoneRefusal =
  'contains a zone, for example [fe80::1%25eth0], which Platen cannot use. Write the name of the printer, its IPv4 address, or an IPv6 address that does not begin with fe80';

const withPort = (host: string, port: string): string => (/:\d+$/.test(host) ? host : `${host}:${port}`);
