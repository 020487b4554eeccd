/** Groups of a user over the wire: spec, Users and GroupInfo. */
import { describe, expect, it } from 'vitest';
import { createGroups } from '../../../src/cloud/resources/groups.ts';
import { problemOf } from '../cloud-under-test.ts';
import { answerJson, answerStatus } from '../scripted-server.ts';
import {
  asUser,
  itGoesWithEitherToken,
  itRejectsRefusals,
  requestsOf,
  resourceWith,
} from './resource-under-test.ts';

const groups = [
  { id: 1, groupName: 'Staff', groupDN: 'cn=staff' },
  { id: 2, groupName: 'Local', groupDN: null },
  { id: '3', groupName: 'Odd' },
];

describe('the groups of a user', () => {
  it.each([
    ['bare', groups],
    ['paged', { items: groups }],
  ])('are read from a %s list', async (_, answer) => {
    await using under = await resourceWith(answerJson(answer));
    expect(await createGroups(under.parts).ofUser('ann b', asUser)).toEqual([
      { id: 1, name: 'Staff', dn: 'cn=staff' },
      { id: 2, name: 'Local' },
    ]);
    expect(requestsOf(under)).toEqual(['GET /api/v1/users/ann%20b/groups']);
  });

  it('tells of a refusal without the name', async () => {
    await using under = await resourceWith(answerStatus(400));
    const { message } = await problemOf(createGroups(under.parts).ofUser('ann', asUser));
    expect(message).toContain('/api/v1/users/<USERNAME>/groups: status 400');
  });

  itGoesWithEitherToken((parts, options) => createGroups(parts).ofUser('ann', options), answerJson([]));
  itRejectsRefusals((parts, options) => createGroups(parts).ofUser('ann', options));
});
