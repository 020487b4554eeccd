/**
 * The unit's list of addresses as `platen init` writes it: all that the configuration names, and who resolves its names. It
 * is not written, and says why, where a list would cut the gateway off one day: a name at addresses of the internet may
 * move, and a listener that is open has callers that nobody has named.
 */
import { readFile, rm } from 'node:fs/promises';
import { isIP } from 'node:net';
import { peersOf } from '../../../config/peers.ts';
import type { Config } from '../../../config/schema/config.ts';
import { AddressSet } from '../../../core/address-set.ts';
import { systemChance } from '../../../core/chance.ts';
import type { Resolve } from '../../../operations/address-list.ts';
import {
  addressesOf,
  addressListFile,
  addressListText,
  resolversIn,
} from '../../../operations/address-list.ts';
import { replaceFile } from '../file.ts';

export type AddressList =
  | { readonly kind: 'list'; readonly text: string }
  | { readonly kind: 'none'; readonly why: string };

export async function addressListFor(
  config: Config,
  { resolvers, resolve }: { readonly resolvers: string; readonly resolve?: Resolve },
): Promise<AddressList> {
  const peers = peersOf(config);
  if (peers.openTo !== undefined) {
    return { kind: 'none', why: `${peers.openTo} accepts callers from any address` };
  }
  const found = await addressesOf(peers, resolve);
  for (const { host, addresses } of found) {
    if (addresses.length === 0) return { kind: 'none', why: `${host} has no address now` };
    const isMoving = isIP(host) === 0 && addresses.some((address) => !ownNetworks.has(address));
    if (isMoving)
      return { kind: 'none', why: `${host} is a name in the internet, and its addresses can change` };
  }
  const all = [...found.flatMap(({ addresses }) => addresses), ...resolversIn(resolvers)];
  return { kind: 'list', text: addressListText([...new Set(all.toSorted()), ...peers.networks]) };
}

/** Of an organisation itself: RFC 1918, RFC 6598, RFC 4193, link-local and loopback. */
const ownNetworks = new AddressSet([
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '169.254.0.0/16', '127.0.0.0/8'],
  ...['fc00::/7', 'fe80::/10', '::1'],
]);

/** As root, for the unit that is there. Tells whether it was another one before. */
export async function writeAddressList(list: AddressList, file = addressListFile): Promise<boolean> {
  const before = await readFile(file, 'utf8').catch(() => undefined);
  if (list.kind === 'none') {
    await rm(file, { force: true });
    return before !== undefined;
  }
  if (before === list.text) return false;
  // For the agent to read, which is nobody's secret.
  await replaceFile(file, list.text, { reader: undefined, chance: systemChance, mode: 0o644 });
  return true;
}
