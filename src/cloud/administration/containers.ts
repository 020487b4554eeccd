/** `PUT /account`: a new container of an account (spec, Account). */
import type { CallerOptions } from '../../domain/ports/call.ts';
import type { ResourceDeps } from '../http/caller.ts';
import { askAs, inBackground } from '../http/caller.ts';
import { formBody } from '../http/form.ts';
import { idOf } from '../http/json.ts';

export interface NewContainer {
  /** The domain of its parent account. */
  readonly parentDomain: string;
  readonly name: string;
  /** Its own domain, which calls use as its name. */
  readonly domainName: string;
}

export interface Containers {
  /** Gives the id of the new container. Never repeated, because each call makes a container. */
  create(container: NewContainer, options: CallerOptions): Promise<number>;
}

/** The `accounttype` of a container. */
const container = 3;

export const createContainers = (deps: ResourceDeps): Containers => ({
  async create({ parentDomain, name, domainName }, options) {
    const body = formBody([
      ['parentdomain', parentDomain],
      ['accountname', name],
      ['accounttype', container],
      ['domainname', domainName],
      // The spec lists it before its optional fields, but describes no call with it.
      ['applicationname', name],
    ]);
    const call = { method: 'PUT', path: '/api/v1/account', body } as const;
    return idOf(await askAs(deps, call, inBackground(deps.clock, options)));
  },
});
