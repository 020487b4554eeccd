/**
 * A set of IP addresses and networks: `10.0.0.21`, `10.0.7.0/24`, `fd00::/8`. The two families are never compared with
 * each other: an IPv4-mapped IPv6 address does not match an IPv4 member.
 */
import { BlockList, isIP } from 'node:net';

export class AddressSet {
  readonly #lists = { 4: new BlockList(), 6: new BlockList() };

  constructor(members: Iterable<string>) {
    for (const member of members) {
      const [address = '', prefix] = member.split('/', 2);
      const version = address.includes(':') ? 6 : 4;
      if (prefix === undefined) this.#lists[version].addAddress(address, `ipv${version}`);
      else this.#lists[version].addSubnet(address, Number(prefix), `ipv${version}`);
    }
  }

  /** `false` for a text that is not an address. */
  readonly has = (address: string): boolean => {
    const version = isIP(address);
    return (version === 4 || version === 6) && this.#lists[version].check(address, `ipv${version}`);
  };
}
