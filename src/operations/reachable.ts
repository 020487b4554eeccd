/**
 * The address of the operations listener for another machine, if there is one. The caller has to use it in this form
 * (`listener/gate.ts`).
 */
import { networkInterfaces } from 'node:os';
import { isLoopback } from '../config/schema/values.ts';
import type { ListenAddress } from '../listener/address.ts';
import { hostAndPort } from '../listener/address.ts';

interface OwnAddress {
  readonly address: string;
  /** Of the machine itself. */
  readonly internal: boolean;
}

/**
 * HOST:PORT; `null` if no other machine can reach it. A configured name with a port comes first. For a listener at all
 * addresses it is the first address of `own`, which lists those of this machine.
 */
export function reachableAt(
  { listen, hosts }: { readonly listen: ListenAddress; readonly hosts: readonly string[] },
  own: () => readonly OwnAddress[] = addressesHere,
): string | null {
  const { host, port } = listen;
  if (isLoopback(host)) return null;
  const named = hosts.find((name) => /:\d+$/.test(name) && name.length <= longest);
  if (named !== undefined) return named;
  if (host !== '0.0.0.0' && host !== '::') return hostAndPort(listen);
  const first = own().find(({ address, internal }) => !internal && !isLinkLocal(address));
  return first === undefined ? null : hostAndPort({ host: first.address, port });
}

/** A name of DNS, and a port. */
const longest = 259;
const isLinkLocal = (address: string): boolean => /^(?:fe80:|169\.254\.)/i.test(address);
const addressesHere = (): readonly OwnAddress[] =>
  Object.values(networkInterfaces()).flatMap((found = []) => found);
