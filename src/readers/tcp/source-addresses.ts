/** The addresses from which a reader may dial in: those of the configuration, otherwise only this machine. */
import { AddressSet } from '../../core/address-set.ts';

const thisMachine = ['127.0.0.0/8', '::1'];

export interface SourceAddresses {
  /** `address` as a socket reports it: `10.0.0.21`, `::ffff:10.0.0.21`. */
  has(address: string): boolean;
}

/** Takes addresses and networks: `10.0.0.21`, `10.0.7.0/24`. */
export function sourceAddresses(from: readonly string[]): SourceAddresses {
  const set = new AddressSet(from.length > 0 ? from : thisMachine);
  // A socket for both families reports an IPv4 address in IPv6 form.
  return { has: (address) => set.has(address.replace(/^::ffff:(?=\d+\.)/i, '')) };
}
