/**
 * The addresses that the unit permits (IPAddressAllow= of systemd.resource-control(5)). `platen init` writes them into
 * a drop-in from the configuration, and the agent compares the drop-in with the configuration in force. systemd does
 * not know names, so the drop-in holds the addresses that each name had.
 */
import { lookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { Peers } from '../config/peers.ts';
import { isLoopback } from '../config/schema/values.ts';
import { AddressSet } from '../core/address-set.ts';

export const addressListFile = '/etc/systemd/system/platen.service.d/addresses.conf';

export type Resolve = (host: string) => Promise<readonly string[]>;

const resolveHere: Resolve = async (host) =>
  (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address);

/** The addresses of each host; an empty list for a name without an address at the moment. */
export async function addressesOf(
  { hosts }: Peers,
  resolve: Resolve = resolveHere,
): Promise<readonly { readonly host: string; readonly addresses: readonly string[] }[]> {
  return Promise.all(
    hosts.map(async (host) => ({ host, addresses: isIP(host) === 0 ? await resolve(host) : [host] })),
  );
}

/** The peers that the file does not permit; empty if there is no file. */
export async function missingFrom(
  peers: Peers,
  {
    file = addressListFile,
    resolve,
    resolvers,
  }: { readonly file?: string; readonly resolve?: Resolve; readonly resolvers?: string } = {},
): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return [];
  const allowed = allowedBy(text);
  const found = await addressesOf(peers, resolve);
  return [
    ...found.flatMap(({ host, addresses }) =>
      addresses
        .filter((address) => !allowed.hosts.has(address))
        .map((address) => (address === host ? host : `${host} (${address})`)),
    ),
    ...resolversIn(resolvers ?? (await resolversHere()))
      .filter((address) => !isLoopback(address) && !allowed.hosts.has(address))
      .map((address) => `${address} (${resolverFile})`),
    ...peers.networks.filter((network) => !allowed.words.includes(network)),
    ...(peers.openTo === undefined ? [] : [`every address, for callers of ${peers.openTo}`]),
  ];
}

const resolverFile = '/etc/resolv.conf';

export const resolversHere = (): Promise<string> => readFile(resolverFile, 'utf8').catch(() => '');

/**
 * resolv.conf(5). The interface of a link-local address (RFC 4007) is left out: with it systemd would ignore the whole
 * line.
 */
export const resolversIn = (text: string): readonly string[] =>
  [...text.matchAll(/^nameserver\s+([^\s%]+)/gm)].flatMap(([, address = '']) =>
    isIP(address) === 0 ? [] : [address],
  );

function allowedBy(text: string): { readonly hosts: AddressSet; readonly words: readonly string[] } {
  const words = [...text.matchAll(/^IPAddressAllow=(.*)$/gm)].flatMap(([, line = '']) => line.split(' '));
  const hosts = new AddressSet(words.filter((word) => isIP(word.split('/')[0] ?? '') !== 0));
  return { hosts, words };
}

export const addressListText = (allowed: readonly string[]): string => `\
# platen init has written this file, and writes it again when the configuration has changed. The agent can exchange data only
# with the addresses in this file. Without the file, only the agent's own rules hold (printerNetwork in platen.yaml(5)).
[Service]
IPAddressDeny=any
IPAddressAllow=localhost
${allowed.map((address) => `IPAddressAllow=${address}\n`).join('')}`;
