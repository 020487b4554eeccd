/**
 * Judges printer addresses that come from the cloud (INVARIANTS.md D9, T11), by the administrator's allowlist of
 * networks, ports and schemes and by ranges where no printer can be. Addresses of the local configuration are not
 * judged here. A name is judged at each connection by every address it has then, and the connection goes to those
 * addresses.
 */
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isIP, isIPv4, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { AddressSet } from '../core/address-set.ts';
import { Problem } from '../domain/problem/problem.ts';
import type { Cidr } from './address-ranges.ts';
import { forbidden, lastQuad, loopback, metadata, networksOf, ownAddresses } from './address-ranges.ts';

/** `printerNetwork` of the configuration. */
export interface PrinterNetwork {
  readonly allow: readonly Cidr[];
  readonly ports: readonly { readonly first: number; readonly last: number }[];
  readonly schemes: readonly ('ipp' | 'ipps' | 'socket')[];
}

export interface AddressGuard {
  /** The normal form of the address: `ipp://10.0.0.7:631/ipp/print`. Throws `printer-address-refused`. */
  vet(uri: string): string;
  /** For connections to a vetted address: the look-up of a name fails unless all its addresses are allowed. */
  readonly lookup: LookupFunction;
}

/** All addresses of a name; rejects as `dns.lookup` does. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

export interface AddressGuardOptions {
  readonly network: PrinterNetwork;
  readonly resolve?: Resolve;
  /** The addresses of this machine, asked for at each judgement. */
  readonly own?: () => readonly string[];
}

/** IPP may be written as the HTTP that carries it (RFC 8010 section 4). */
const schemes: Readonly<Record<string, { is: PrinterNetwork['schemes'][number]; port: number }>> = {
  ipp: { is: 'ipp', port: 631 },
  ipps: { is: 'ipps', port: 631 },
  http: { is: 'ipp', port: 80 },
  https: { is: 'ipps', port: 443 },
  socket: { is: 'socket', port: 9100 },
};

/** A name of RFC 1123 whose last label is not a number: URL parsers read `2130706433` and `0x7f.1` as addresses. */
const hostName =
  /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)*(?!0x[0-9a-f]*$|[0-9]+$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?$/;

export function createAddressGuard(options: AddressGuardOptions): AddressGuard {
  const judge = new NetworkJudge(options);
  return {
    vet: (uri) => judge.vet(uri),
    lookup: (...question) => void judge.answer(...question),
  };
}

class NetworkJudge {
  readonly #network: PrinterNetwork;
  readonly #resolve: Resolve;
  readonly #own: () => readonly string[];
  readonly #allowed: AddressSet;
  /** `0.0.0.0/0` does not allow loopback; an administrator who means this machine names loopback explicitly. */
  readonly #allowedLoopback: AddressSet;

  constructor({
    network,
    resolve = (name) => lookup(name, { all: true }),
    own = () => ownAddresses(networkInterfaces()),
  }: AddressGuardOptions) {
    this.#network = network;
    this.#resolve = resolve;
    this.#own = own;
    this.#allowed = networksOf(network.allow);
    const named = network.allow.filter((cidr) => isLoopback(cidr.split('/', 1)[0] ?? ''));
    this.#allowedLoopback = networksOf(named);
  }

  vet(text: string): string {
    const { schemes: allowed, ports } = this.#network;
    const { scheme, host, port, path } = partsOf(text);
    if (!allowed.includes(scheme)) throw refused(`${scheme} is not in printerNetwork.schemes`);
    if (!ports.some(({ first, last }) => first <= port && port <= last)) {
      throw refused(`port ${port} is not in printerNetwork.ports`);
    }
    const reason = isIP(host) === 0 ? undefined : this.#objection(host);
    if (reason !== undefined) throw refused(reason);
    return `${scheme}://${isIPv6(host) ? `[${host}]` : host}:${port}${path}`;
  }

  async answer(...[name, { all }, tell]: Parameters<LookupFunction>): Promise<void> {
    let addresses: readonly LookupAddress[];
    try {
      addresses = await this.#vettedAddresses(name);
    } catch (error) {
      tell(error as NodeJS.ErrnoException, []);
      return;
    }
    const [first] = addresses;
    if (all) tell(null, [...addresses]);
    else tell(null, first?.address ?? '', first?.family ?? 4);
  }

  async #vettedAddresses(name: string): Promise<readonly LookupAddress[]> {
    const addresses = await this.#resolve(name);
    for (const { address } of addresses) {
      const reason = this.#objection(address);
      if (reason !== undefined) throw refused(`the name ${name} leads to it, and ${reason}`);
    }
    return addresses;
  }

  /** The reason why this address is refused. */
  #objection(address: string): string | undefined {
    if (isLoopback(address)) {
      return this.#allowedLoopback.has(address) ? undefined : `${address} is a loopback address`;
    }
    const range = forbiddenRanges.find(({ networks }) => networks.has(address));
    if (range) return `${address} is ${range.what}`;
    const last = lastQuad(address);
    if (last?.isIsatap || (last && isMetadata(last.quad)))
      return `${address} holds the IPv4 address ${last.quad}`;
    if (this.#own().includes(address)) return `${address} is this machine's own address`;
    return this.#allowed.has(address) ? undefined : `${address} is in no network of printerNetwork.allow`;
  }
}

const isLoopback = networksOf(loopback).has;
const isMetadata = networksOf(metadata.cidrs).has;
const forbiddenRanges = forbidden.map(({ what, cidrs }) => ({ what, networks: networksOf(cidrs) }));

interface AddressParts {
  readonly scheme: PrinterNetwork['schemes'][number];
  /** An IPv4 address in the usual form, an IPv6 address as in RFC 5952, or a name in lower case. */
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

/**
 * The only parser of addresses. Every scheme is parsed under `ipp`, for which the URL standard has no special rules, so
 * the host stays as it was written.
 */
function partsOf(text: string): AddressParts {
  const written = /^([a-z]+):\/\/(.*)$/i.exec(text);
  const scheme = schemes[written?.[1]?.toLowerCase() ?? ''];
  const neutral = `ipp://${written?.[2] ?? ''}`;
  if (!scheme || !/^[\u0021-\u007e]+$/.test(text) || !URL.canParse(neutral)) {
    throw refused('it is not an address like ipp://10.0.0.7/ipp/print');
  }
  const { hostname, port, pathname, search, hash, username, password } = new URL(neutral);
  if (username !== '' || password !== '') throw refused('it carries a user name');
  if (hash !== '') throw refused('it carries a fragment');
  return {
    scheme: scheme.is,
    host: hostOf(hostname),
    port: port === '' ? scheme.port : Number(port),
    path: `${pathname || '/'}${search}`,
  };
}

function hostOf(hostname: string): string {
  if (isIPv4(hostname)) return hostname;
  const bare = /^\[(.*)\]$/.exec(hostname)?.[1];
  if (bare !== undefined && isIPv6(bare) && !bare.includes('%')) return bare;
  const name = hostname.toLowerCase();
  if (hostName.test(name)) return name;
  throw refused('its host is neither a plain name nor an IP address in the usual form');
}

/** Nothing was sent and no connection was made. The caller adds the address itself, because it knows its source. */
const refused = (reason: string): Problem =>
  new Problem('printer-address-refused', reason, { delivery: 'not-sent' });
