/** Which addresses a reader may dial in from: those the configuration names, else this machine only. */
import { BlockList, isIP } from 'node:net';

const thisMachine = ['127.0.0.0/8', '::1'];

export interface SourceAddresses {
  /** `address` as a socket tells it: `10.0.0.21`, `::ffff:10.0.0.21`. */
  has(address: string): boolean;
}

/** Of addresses and networks: `10.0.0.21`, `10.0.7.0/24`. */
export function sourceAddresses(from: readonly string[]): SourceAddresses {
  const list = new BlockList();
  for (const source of from.length > 0 ? from : thisMachine) {
    const [address = '', prefix] = source.split('/');
    if (prefix === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return {
    has(told) {
      // A socket that listens for both families tells an IPv4 address in IPv6.
      const address = told.replace(/^::ffff:(?=\d+\.)/i, '');
      return isIP(address) !== 0 && list.check(address, familyOf(address));
    },
  };
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
