/** Which addresses a reader may dial in from: those the configuration names, else this machine only. */
import { AddressSet } from '../../core/address-set.ts';

const thisMachine = ['127.0.0.0/8', '::1'];

export interface SourceAddresses {
  /** `address` as a socket tells it: `10.0.0.21`, `::ffff:10.0.0.21`. */
  has(address: string): boolean;
}

/** Of addresses and networks: `10.0.0.21`, `10.0.7.0/24`. */
export function sourceAddresses(from: readonly string[]): SourceAddresses {
  const set = new AddressSet(from.length > 0 ? from : thisMachine);
  // A socket that listens for both families tells an IPv4 address in IPv6.
  return { has: (told) => set.has(told.replace(/^::ffff:(?=\d+\.)/i, '')) };
}
