/** `PUT /account`: a new container of an account (spec, Account). */
import type { CallerOptions } from '../../domain/ports/call.ts';
import type { ResourceDeps } from '../http/caller.ts';
import { askAs, inBackground } from '../http/caller.ts';
import { formBody } from '../http/form.ts';
import { idOf } from '../http/json.ts';

export interface NewContainer {
  /** Of the account it stands in. */
  readonly parentDomain: string;
  readonly name: string;
  /** Its own, by which calls name it. */
  readonly domainName: string;
}

export interface Containers {
  /** The new container's id. Never repeated: it makes one each time. */
  create(container: NewContainer, options: CallerOptions): Promise<number>;
}

/** `accounttype` of one. */
const container = 3;

export const createContainers = (deps: ResourceDeps): Containers => ({
  async create({ parentDomain, name, domainName }, options) {
    const body = formBody([
      ['parentdomain', parentDomain],
      ['accountname', name],
      ['accounttype', container],
      ['domainname', domainName],
      // It stands before what the spec calls optional, and no call tells of it.
      ['applicationname', name],
    ]);
    const call = { method: 'PUT', path: '/api/v1/account', body } as const;
    return idOf(await askAs(deps, call, inBackground(deps.clock, options)));
  },
});
