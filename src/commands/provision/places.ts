/**
 * The accounts and containers of ports at the service: the domain that names each, and the target for a port. The
 * service is asked once for all ports.
 */
import type { Account, Accounts } from '../../cloud/resources/account.ts';
import type { OutputPort } from '../../domain/output-port.ts';
import type { CallerOptions } from '../../domain/ports/call.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import { askedOnce } from '../check/examination.ts';
import { CommandFailed } from '../failure.ts';

export interface Places {
  /** The domain for new ports. */
  ofNew(): Promise<string>;
  /** The domain for calls about this port: its own, or the domain for new ports if its own is not known. */
  of(port: OutputPort): Promise<string>;
  /** The domain of the port; `undefined` if the service does not tell it. */
  ownOf(port: OutputPort): Promise<string | undefined>;
  /** The id of the account or container with this domain; `undefined`: there is none. */
  idOf(domain: string): Promise<number | undefined>;
  account(): Promise<Account>;
  containers(): ReturnType<Accounts['containers']>;
}

export function placesOf(
  accounts: Accounts,
  { domain, caller }: { readonly domain: string | undefined; readonly caller: CallerOptions },
): Places {
  const account = askedOnce(() => accounts.read(caller));
  const containers = askedOnce(() => accounts.containers(caller));
  // Only found ids are kept, because a missing container may be made meanwhile.
  const ids = new Map<string, number>();
  const ofNew = async () => domain ?? primaryOf(await account());
  async function ownOf({ parentId }: OutputPort): Promise<string | undefined> {
    if (parentId === undefined) return undefined;
    const { id, primaryDomain } = await account();
    if (id === parentId) return primaryDomain;
    return (await containers()).find((one) => one.id === parentId)?.domainNames[0];
  }
  return {
    ofNew,
    ownOf,
    of: async (port) => (await ownOf(port)) ?? ofNew(),
    async idOf(domainName) {
      const known = ids.get(domainName);
      if (known !== undefined) return known;
      try {
        const { id } = await accounts.read({ ...caller, domainName });
        ids.set(domainName, id);
        return id;
      } catch (error) {
        if (isProblem(error, 'cloud-not-found')) return undefined;
        throw error;
      }
    },
    account,
    containers,
  };
}

export function primaryOf({ name, primaryDomain: domain }: Account): string {
  if (domain === undefined)
    throw new CommandFailed(`the account ${name} has no primary domain. Give --domain`);
  return domain;
}
