/** Where a printer is, in one text, however its address is written: by it one printer is known from another. */
import { spoolerQueue } from './spooler-queue.ts';

const defaultPorts: Readonly<Record<string, string>> = { 'ipp:': '631', 'ipps:': '631', 'socket:': '9100' };

/** The same text for every way to write the address of one printer. */
export function printerAddress(uri: string): string {
  const queue = spoolerQueue(uri);
  // Over TLS or not, it is the same queue.
  if (queue) return `cups://${withPort(queue.server ?? 'localhost', '631')}/${queue.name}`.toLowerCase();
  if (!URL.canParse(uri)) return uri;
  const { protocol, host, pathname } = new URL(uri);
  if (host === '') return uri;
  return `${protocol}//${withPort(host, defaultPorts[protocol] ?? '')}`.toLowerCase() + (pathname || '/');
}

/** One was written by another hand, or another gateway of the fleet. */
export const isSamePrinter = (one: string, other: string): boolean =>
  one === other || printerAddress(one) === printerAddress(other);

/** Of a link-local IPv6 address (RFC 6874), which Node's URL does not read: the address holds behind one interface alone. */
export const namesZone = (uri: string): boolean => /^[a-z]+:\/\/\[[^\]]*%/i.test(uri);

/** After what has it. */
export const zoneRefusal =
  'contains a zone, for example [fe80::1%25eth0], which Platen cannot use. Write the name of the printer, its IPv4 address, or an IPv6 address that does not begin with fe80';

const withPort = (host: string, port: string): string => (/:\d+$/.test(host) ? host : `${host}:${port}`);
