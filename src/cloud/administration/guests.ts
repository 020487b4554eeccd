/**
 * The port GuestService: local users that are made and deleted again, with a group and a page quota if the caller wants
 * them (spec, Users, Groups, Balance). The group is set before the quota, which depends on its policy.
 */
import { z } from 'zod';
import type { Secret } from '../../core/secret.ts';
import type { GuestCall, GuestPlan, GuestService } from '../../domain/ports/guests.ts';
import { isProblem, Problem } from '../../domain/problem/problem.ts';
import type { ResourceDeps } from '../http/caller.ts';
import { askAs, inBackground } from '../http/caller.ts';
import { formBody, pathSegment, query } from '../http/form.ts';
import type { Answer } from '../http/json.ts';
import { expectErrorCodeZero, valueOf } from '../http/json.ts';
import { readList } from '../http/pages.ts';
import type { Call } from '../http/transport.ts';
import { createAccounts } from '../resources/account.ts';
import { createAuthProviders } from '../resources/auth-providers.ts';
import type { PageQuota } from './page-quota.ts';
import { createPageQuota } from './page-quota.ts';

/** `detailtype` of a short id. */
const shortIdType = 5;
/** `providerType` of local users. */
const local = 0;

const groupInfo = z.object({ id: z.int(), groupName: z.string() });
const madeUser = z.object({ userName: z.string(), shortId: z.string() });

interface Owner {
  readonly userName: string;
  readonly providerId: number;
}

export const createGuests = (deps: ResourceDeps): GuestService => new GuestsOfService(deps);

class GuestsOfService implements GuestService {
  readonly #deps: ResourceDeps;
  readonly #quotas: PageQuota;

  constructor(deps: ResourceDeps) {
    this.#deps = deps;
    this.#quotas = createPageQuota(deps);
  }

  async plan(
    { userName, pages, group }: Parameters<GuestService['plan']>[0],
    call: GuestCall,
  ): Promise<GuestPlan> {
    const looking = this.#localProvider(call);
    const providerId = await permitted('ViewAccount and ViewAuthenticationProviders', looking);
    if (await this.#isThere({ userName, providerId }, call)) {
      const advice = 'The guest has no access. Try again; Platen then draws another name.';
      throw new Problem('guest-refused', `There is already a user ${userName}`, { advice });
    }
    const groupId =
      group === undefined ? undefined : await permitted('ViewUser', this.#groupCalled(group, call));
    if (pages === undefined) return { providerId, groupId };
    const quota = await permitted('ViewUserBalance', this.#quotas.costOf(pages, groupId, call));
    return { providerId, groupId, quota };
  }

  async make(
    guest: { readonly userName: string; readonly shortId: Secret },
    { providerId, groupId, quota }: GuestPlan,
    call: GuestCall,
  ): Promise<void> {
    const owner = { userName: guest.userName, providerId };
    const creating = this.#create(owner, guest.shortId, call);
    await permitted('ViewUser, CreateUser and GenerateShortID', creating);
    if (groupId !== undefined) {
      await permitted('ViewUser and ModifyUser', this.#join(owner, groupId, call));
    }
    if (quota === undefined) return;
    await permitted('ModifyUserBalance', this.#quotas.set(owner, quota, call));
  }

  async remove({ userName, providerId }: Owner, call: GuestCall): Promise<void> {
    const path = `/api/v1/users/${pathSegment(userName)}${query([['providerid', providerId]])}`;
    const deleting = this.#tell({ method: 'DELETE', path, shownPath: '/api/v1/users/<username>' }, call);
    try {
      await permitted('ViewUser and DeleteUser', deleting);
    } catch (error) {
      if (!(await this.#isGone({ userName, providerId }, error, call))) throw error;
    }
  }

  #ask(call: Call, options: GuestCall): Promise<Answer> {
    return askAs(this.#deps, call, inBackground(this.#deps.clock, options));
  }

  async #tell(call: Call, options: GuestCall): Promise<void> {
    expectErrorCodeZero(await this.#ask(call, options));
  }

  async #localProvider(call: GuestCall): Promise<number> {
    const { id } = await createAccounts(this.#deps).read(call);
    const providers = await createAuthProviders(this.#deps).list(id, call);
    const provider = providers.find(({ providerType, active }) => providerType === local && active !== false);
    if (provider) return provider.id;
    throw new Problem('guest-refused', 'The account has no authentication provider for local users');
  }

  async #groupCalled(name: string, call: GuestCall): Promise<number> {
    const list = { name: 'groups', path: '/api/v1/groups', entry: groupInfo };
    const groups = await readList(this.#deps, list, call);
    const group = groups.find(({ groupName }) => groupName === name);
    if (group) return group.id;
    throw new Problem('guest-refused', `The service has no group of the name ${name}`);
  }

  async #create({ userName, providerId }: Owner, shortId: Secret, call: GuestCall): Promise<void> {
    const body = formBody([
      ['username', userName],
      ['providerid', providerId],
      ['detailtype', shortIdType],
      ['detaildata', shortId.reveal()],
    ]);
    await this.#tell({ method: 'PUT', path: '/api/v1/users', body }, call);
    const made = await this.#read({ userName, providerId }, call);
    // The short id is printed on the slip and has to open the terminal.
    if (made.shortId === shortId.reveal()) return;
    throw new Problem('guest-refused', 'The service made the user, but refused the ID number');
  }

  async #read({ userName, providerId }: Owner, call: GuestCall): Promise<z.infer<typeof madeUser>> {
    const path = '/api/v1/users';
    const fields = query([
      ['username', userName],
      ['providerid', providerId],
    ]);
    const asking = { method: 'GET', path: path + fields, shownPath: path } as const;
    return valueOf(await this.#ask(asking, call), madeUser);
  }

  /** Only a clear yes counts: any other problem shows when the user is created. */
  async #isThere(owner: Owner, call: GuestCall): Promise<boolean> {
    try {
      return (await this.#read(owner, call)).userName === owner.userName;
    } catch (error) {
      if (call.signal.aborted) throw error;
      return false;
    }
  }

  #join({ userName }: Owner, groupId: number, call: GuestCall): Promise<void> {
    const joining = {
      method: 'PUT',
      path: `/api/v1/users/${pathSegment(userName)}/groups`,
      shownPath: '/api/v1/users/<username>/groups',
      body: formBody([['groupid', groupId]]),
    } as const;
    return this.#tell(joining, call);
  }

  /** The spec has no error for an unknown name, so the user is asked for. */
  async #isGone(guest: Owner, error: unknown, call: GuestCall): Promise<boolean> {
    if (!isProblem(error, 'guest-refused', 'cloud-rejected', 'cloud-not-found')) return false;
    try {
      await this.#read(guest, call);
      return false;
    } catch (reading) {
      return isProblem(reading, 'cloud-not-found');
    }
  }
}

/** A 403 gives only the status; the spec names the permissions of the call. */
async function permitted<T>(permissions: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isProblem(error, 'cloud-denied')) throw error;
    throw new Problem(
      'guest-refused',
      `The service refuses it (403). The user of guests.user needs ${permissions}`,
      { cause: error, status: error.status ?? 403 },
    );
  }
}
