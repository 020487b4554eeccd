/**
 * Where ports stand at the service: by which domain their account or container is named, and which one is to be theirs.
 * The service is asked once for all.
 */
import type { Account, Accounts } from '../../cloud/resources/account.ts';
import type { OutputPort } from '../../domain/output-port.ts';
import type { CallerOptions } from '../../domain/ports/call.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import { askedOnce } from '../check/examination.ts';
import { CommandFailed } from '../failure.ts';

export interface Places {
  /** Of new ports. */
  ofNew(): Promise<string>;
  /** To name the port by: its own, or where that is not told that of new ones. */
  of(port: OutputPort): Promise<string>;
  /** Its own; `undefined` where the service does not tell. */
  ownOf(port: OutputPort): Promise<string | undefined>;
  /** What has the domain; `undefined`: nothing has. */
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
  // What there is not may be made meanwhile.
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
