/**
 * Reads printers that announce themselves by DNS-SD (RFC 6763; keys of the TXT record: PWG 5100.14 section 4.2) from
 * the output of `avahi-browse --parsable --resolve`. Any device on the network may announce anything. So a record that
 * is not strictly valid is dropped, and a name must pass `printable` before it is shown. This code sends nothing, and
 * an announcement alone never makes a printer (INVARIANTS.md T13).
 */
import { isIP, isIPv6 } from 'node:net';
import { forbidden, loopback, networksOf } from './address-ranges.ts';

export interface AnnouncedPrinter {
  /** The name that the owner chose; it may contain anything. */
  readonly name: string;
  /** By address, not by name: tomorrow another device may answer to a name of `.local`. */
  readonly uri: string;
}

/** The service types to browse for (PWG 5100.14 section 4.2.1). */
export const printerServices = ['_ipp._tcp', '_ipps._tcp'] as const;

const schemes: Readonly<Record<string, string>> = { '_ipp._tcp': 'ipp', '_ipps._tcp': 'ipps' };

/** A DNS label has at most 63 octets (RFC 1035 section 2.3.4). */
const longestName = 63;
/** A TXT record that fits into a packet, in octets; each may be escaped by four characters. */
const longestLine = 4 * 9000;
const mostPrinters = 200;

const outOfReach = networksOf([...loopback, ...forbidden.flatMap(({ cidrs }) => cidrs)]);

/** In the order of their names, each once: `ipps` is preferred, then IPv4. */
export function announcedPrinters(output: string): readonly AnnouncedPrinter[] {
  const found = new Map<string, Announcement>();
  for (const line of output.split('\n')) {
    const one = announcementIn(line);
    if (!one) continue;
    const other = found.get(one.name);
    if (!other ? found.size < mostPrinters : rank(one) > rank(other)) found.set(one.name, one);
  }
  return [...found.values()]
    .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
    .map(({ name, scheme, address, port, path }) => {
      const host = isIPv6(address) ? `[${address}]` : address;
      const place = port === usualPort ? host : `${host}:${port}`;
      return { name, uri: `${scheme}://${place}/${path}` };
    });
}

const usualPort = 631;

interface Announcement {
  readonly name: string;
  readonly scheme: string;
  readonly address: string;
  readonly port: number;
  readonly path: string;
}

const rank = ({ scheme, address }: Announcement): number =>
  (scheme === 'ipps' ? 2 : 0) + (isIPv6(address) ? 0 : 1);

// =;interface;protocol;name;type;domain;host;address;port;"key=value" "key=value"
const resolved =
  /^=;[^;]*;IPv[46];(?<name>[^;]+);(?<type>_ipps?\._tcp);[^;]*;[^;]*;(?<address>[0-9a-fA-F.:]+);(?<port>\d{1,5});(?<txt>.*)$/;

/** `undefined` for a line that is not a resolved printer within reach. */
function announcementIn(line: string): Announcement | undefined {
  if (line.length > longestLine) return undefined;
  const {
    name: label = '',
    type = '',
    address = '',
    port: digits,
    txt = '',
  } = resolved.exec(line)?.groups ?? {};
  const scheme = schemes[type];
  const name = unescaped(label);
  const port = Number(digits);
  if (!scheme || Buffer.byteLength(name) > longestName || port < 1 || port > 65_535) return undefined;
  if (isIP(address) === 0 || outOfReach.has(address)) return undefined;
  // Empty is allowed and means the root.
  const path = keysOf(txt).get('rp') ?? 'ipp/print';
  if (!isPath(path)) return undefined;
  return { name, scheme, address, port, path };
}

const isPath = (text: string): boolean =>
  /^[A-Za-z0-9._~/-]{0,127}$/.test(text) && !/(^|\/)\.\.?(\/|$)/.test(text);

/** Keys are case-insensitive, and the first of each counts (RFC 6763 section 6.4). */
function keysOf(txt: string): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const [, text = ''] of txt.matchAll(/"((?:[^"\\]|\\.)*)"/g)) {
    const [, key = '', value = ''] = /^([^=]+)=(.*)$/s.exec(unescaped(text)) ?? [];
    if (key !== '' && !keys.has(key.toLowerCase())) keys.set(key.toLowerCase(), value);
  }
  return keys;
}

/** `\059` is the octet 59, `\.` is a dot (avahi's `avahi_escape_label`); the octets are UTF-8. */
function unescaped(text: string): string {
  const octets: Buffer[] = [];
  for (const [piece, octet, character] of text.matchAll(/\\(\d{3})|\\(.)|[^\\]+/gs)) {
    if (octet !== undefined) octets.push(Buffer.from([Number(octet) & 0xff]));
    else octets.push(Buffer.from(character ?? piece));
  }
  return Buffer.concat(octets).toString('utf8');
}
