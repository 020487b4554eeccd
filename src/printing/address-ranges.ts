/**
 * Networks of IP addresses, and which of them no printer is looked for in (INVARIANTS.md D9, T11). Addresses of the
 * two families are never compared with each other: an IPv4 address in the clothes of IPv6 is refused as such.
 */
import type { NetworkInterfaceInfo } from 'node:os';
import { isIPv6 } from 'node:net';
import { AddressSet } from '../core/address-set.ts';

/** `10.0.0.0/24`, `fd00::/8`. */
export type Cidr = string;

interface Forbidden {
  readonly what: string;
  readonly cidrs: readonly Cidr[];
}

export const networksOf = (cidrs: readonly Cidr[]): AddressSet => new AddressSet(cidrs);

/**
 * The IPv4 address that stands in the last 32 bits of an IPv6 address, where some prefix makes it one: ISATAP under any
 * prefix (RFC 5214 section 6.1), NAT64 under a network's own (RFC 6052 section 2.2).
 */
export function lastQuad(address: string): { readonly quad: string; readonly isIsatap: boolean } | undefined {
  if (!isIPv6(address)) return undefined;
  const groups = groupsOf(address);
  const [high = 0, low = 0] = groups.slice(6);
  const quad = [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
  return { quad, isIsatap: ((groups[4] ?? 0) & 0xfdff) === 0 && groups[5] === 0x5efe };
}

/** Of what `isIPv6` takes; the URL standard writes every one in hexadecimal groups, with `::` in place of the longest zeros. */
function groupsOf(address: string): readonly number[] {
  const { hostname } = new URL(`http://[${address.split('%', 1)[0]}]`);
  const [before = [], after] = hostname
    .slice(1, -1)
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':').map((group) => Number.parseInt(group, 16))));
  if (after === undefined) return before;
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

/** The four words of 32 bits of an IPv6 address. */
export function wordsOf(address: string): readonly number[] {
  const groups = groupsOf(address);
  return [0, 2, 4, 6].map((at) => (groups[at] ?? 0) * 0x10000 + (groups[at + 1] ?? 0));
}

export const loopback: readonly Cidr[] = ['127.0.0.0/8', '::1/128'];

export const metadata: Forbidden = {
  what: 'the address of a cloud machine’s own metadata',
  cidrs: [
    // Of most clouds · Alibaba · Azure · Oracle's older one.
    '169.254.169.254/32',
    '100.100.100.200/32',
    '168.63.129.16/32',
    '192.0.0.192/32',
    // AWS, all its local services · Google · Oracle · Akamai · Scaleway.
    'fd00:ec2::/112',
    'fd20:ce::254/128',
    'fd00:c1::a9fe:a9fe/128',
    'fd00:a9fe:a9fe::1/128',
    'fd00:42::42/128',
  ],
};

/** What an address of them is, for the sentence. The order matters: the first that has it names it. */
export const forbidden: readonly Forbidden[] = [
  metadata,
  { what: 'a link-local address', cidrs: ['169.254.0.0/16', 'fe80::/10'] },
  { what: 'an address of this network or of none', cidrs: ['0.0.0.0/8', '::/128'] },
  { what: 'a multicast address', cidrs: ['224.0.0.0/4', 'ff00::/8'] },
  { what: 'a broadcast or reserved address', cidrs: ['240.0.0.0/4'] },
  {
    what: 'an IPv4 address in the form of IPv6',
    // Mapped, translated (RFC 2765), compatible, NAT64 (RFC 6052, RFC 8215), 6to4, Teredo.
    cidrs: [
      '::ffff:0:0/96',
      '::ffff:0:0:0/96',
      '::/96',
      '64:ff9b::/96',
      '64:ff9b:1::/48',
      '2002::/16',
      '2001::/32',
    ],
  },
];

/** This machine's own addresses, and the broadcast address of each of its IPv4 networks; loopback is judged apart. */
export function ownAddresses(
  interfaces: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>,
): readonly string[] {
  return Object.values(interfaces)
    .flatMap((infos) => infos ?? [])
    .filter(({ internal }) => !internal)
    .flatMap(({ family, address, netmask }) =>
      family === 'IPv4' ? [address, broadcastOf(address, netmask)] : [address.split('%', 1)[0] ?? address],
    );
}

function broadcastOf(address: string, netmask: string): string {
  const mask = netmask.split('.').map(Number);
  return address
    .split('.')
    .map((octet, at) => Number(octet) | (~(mask[at] ?? 0) & 0xff))
    .join('.');
}
