/**
 * Networks of IP addresses, and the ranges in which no printer is looked for (INVARIANTS.md D9, T11). The two families
 * are never compared with each other: an IPv4 address in the form of IPv6 is refused for that form.
 */
import type { NetworkInterfaceInfo } from 'node:os';
import { isIPv6 } from 'node:net';
import { AddressSet } from '../core/address-set.ts';

/** Such as `10.0.0.0/24` or `fd00::/8`. */
export type Cidr = string;

interface Forbidden {
  readonly what: string;
  readonly cidrs: readonly Cidr[];
}

export const networksOf = (cidrs: readonly Cidr[]): AddressSet => new AddressSet(cidrs);

/**
 * The IPv4 address in the last 32 bits of an IPv6 address. Some prefixes make these bits an IPv4 address: ISATAP under
 * any prefix (RFC 5214 section 6.1), NAT64 under a network's own prefix (RFC 6052 section 2.2).
 */
export function lastQuad(address: string): { readonly quad: string; readonly isIsatap: boolean } | undefined {
  if (!isIPv6(address)) return undefined;
  const groups = groupsOf(address);
  const [high = 0, low = 0] = groups.slice(6);
  const quad = [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
  return { quad, isIsatap: ((groups[4] ?? 0) & 0xfdff) === 0 && groups[5] === 0x5efe };
}

/**
 * Takes any address that `isIPv6` accepts. The URL standard writes each in hexadecimal groups, with `::` for the
 * longest zeros.
 */
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
    // Most clouds · Alibaba · Azure · Oracle's older address.
    '169.254.169.254/32',
    '100.100.100.200/32',
    '168.63.129.16/32',
    '192.0.0.192/32',
    // AWS with all its local services · Google · Oracle · Akamai · Scaleway.
    'fd00:ec2::/112',
    'fd20:ce::254/128',
    'fd00:c1::a9fe:a9fe/128',
    'fd00:a9fe:a9fe::1/128',
    'fd00:42::42/128',
  ],
};

/** Each with a name for messages. The order matters: the first range that contains an address names it. */
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

/**
 * This machine's own addresses, and the broadcast address of each of its IPv4 networks. Loopback is judged separately.
 */
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
