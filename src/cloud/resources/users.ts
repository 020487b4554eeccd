/** The port Users: a user's own record, and the registration of a card (spec, Users; src/cloud/README.md 6). */
import type { Users } from '../../domain/ports/service.ts';
import type { ResourceDeps } from '../http/caller.ts';
import { askAs, inBackground } from '../http/caller.ts';
import { deadlines } from '../http/api.ts';
import { formBody, pathSegment, query } from '../http/form.ts';
import { expectErrorCodeZero, valueOf } from '../http/json.ts';
import { userInfo, userOf } from './user-info.ts';

export const createUsers = (deps: ResourceDeps): Users => ({
  async read({ userName, providerId }, options) {
    const path = '/api/v1/users';
    const fields = query([
      ['username', userName],
      ['providerid', providerId],
    ]);
    const call = { method: 'GET', path: path + fields, shownPath: path } as const;
    return userOf(valueOf(await askAs(deps, call, inBackground(deps.clock, options)), userInfo));
  },

  async enrolCard({ userName }, card, options) {
    const call = {
      method: 'POST',
      path: `/api/v1/users/${pathSegment(userName)}/cards`,
      shownPath: '/api/v1/users/<username>/cards',
      urgency: 'person',
      body: formBody([['cardid', card.reveal()]]),
    } as const;
    const signal = deps.clock.deadline(deadlines.interactive, options.signal);
    expectErrorCodeZero(await askAs(deps, call, { ...options, signal }));
  },
});
