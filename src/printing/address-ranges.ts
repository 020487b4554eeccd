/**
 * Networks of IP addresses, and which of them no printer is looked for in (reliability.md D9, T11). Addresses of the
 * two families are never compared with each other: an IPv4 address in the clothes of IPv6 is refused as such.
 */
import type { NetworkInterfaceInfo } from 'node:os';
import { BlockList, isIP, isIPv6 } from 'node:net';

/** `10.0.0.0/24`, `fd00::/8`. */
export type Cidr = string;

export interface Networks {
  has(address: string): boolean;
}

export function networksOf(cidrs: readonly Cidr[]): Networks {
  const lists = { 4: new BlockList(), 6: new BlockList() };
  for (const cidr of cidrs) {
    const [address = '', prefix = ''] = cidr.split('/', 2);
    if (isIPv6(address)) lists[6].addSubnet(address, Number(prefix), 'ipv6');
    else lists[4].addSubnet(address, Number(prefix), 'ipv4');
  }
  return {
    has(address) {
      switch (isIP(address)) {
        case 4:
          return lists[4].check(address, 'ipv4');
        case 6:
          return lists[6].check(address, 'ipv6');
        default:
          return false;
      }
    },
  };
}

export const loopback: readonly Cidr[] = ['127.0.0.0/8', '::1/128'];

/** What an address of them is, for the sentence. The order matters: the first that has it names it. */
export const forbidden: readonly { readonly what: string; readonly cidrs: readonly Cidr[] }[] = [
  {
    what: 'the address of a cloud machine’s own metadata',
    cidrs: ['169.254.169.254/32', 'fd00:ec2::254/128'],
  },
  { what: 'a link-local address', cidrs: ['169.254.0.0/16', 'fe80::/10'] },
  { what: 'an address of this network or of none', cidrs: ['0.0.0.0/8', '::/128'] },
  { what: 'a multicast address', cidrs: ['224.0.0.0/4', 'ff00::/8'] },
  { what: 'a broadcast or reserved address', cidrs: ['240.0.0.0/4'] },
  {
    what: 'an IPv4 address in the form of IPv6',
    // Mapped, compatible, NAT64 (RFC 6052, RFC 8215), 6to4, Teredo.
    cidrs: ['::ffff:0:0/96', '::/96', '64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32'],
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
