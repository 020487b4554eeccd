/** Authentication providers over the wire: spec, Authentication providers; src/cloud/README.md 12, row 38. */
import { describe, expect, it } from 'vitest';
import { createAuthProviders } from '../../../src/cloud/resources/auth-providers.ts';
import { answerJson } from '../../support/cloud/scripted-server.ts';
import {
  asUser,
  itGoesWithEitherToken,
  itRejectsRefusals,
  requestsOf,
  resourceWith,
} from './resource-under-test.ts';

const ldap = {
  id: 4,
  name: 'Directory',
  providerType: 1,
  priority: 10,
  active: true,
  domainNames: ['example.com'],
  typeConfiguration: '{"password":"canary"}',
};
const read = {
  id: 4,
  name: 'Directory',
  providerType: 1,
  priority: 10,
  active: true,
  domainNames: ['example.com'],
};

describe('authentication providers', () => {
  it.each<[string, unknown, unknown]>([
    ['a bare list', [ldap], [read]],
    ['items', { items: [ldap] }, [read]],
    ['any other list inside', { errorCode: 0, authenticationProviders: [ldap, 3] }, [read]],
    [
      'a list whose fields are of other types',
      [{ ...ldap, name: 7, priority: '1', domainNames: null }],
      [{ id: 4, providerType: 1, active: true, domainNames: [] }],
    ],
    ['an empty object', {}, []],
  ])('are found in %s', async (_, answer, expected) => {
    await using under = await resourceWith(answerJson(answer));
    expect(await createAuthProviders(under.parts).list(5, asUser)).toEqual(expected);
    expect(requestsOf(under)).toEqual(['GET /api/v1/authproviders?accountid=5']);
  });

  itGoesWithEitherToken((parts, options) => createAuthProviders(parts).list(5, options), answerJson([]));
  itRejectsRefusals((parts, options) => createAuthProviders(parts).list(5, options));
});
