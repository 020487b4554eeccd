/** The port Users over the wire: spec, Users and UserInfo; src/cloud/README.md 6. */
import { describe, expect, it } from 'vitest';
import { createUsers } from '../../../src/cloud/resources/users.ts';
import { CardNumber } from '../../../src/domain/card/card-number.ts';
import { problemOf } from '../../support/cloud/cloud-under-test.ts';
import { answerJson, answerStatus } from '../../support/cloud/scripted-server.ts';
import {
  asUser,
  itGoesWithEitherToken,
  itRejectsRefusals,
  requestsOf,
  resourceWith,
} from './resource-under-test.ts';

const ann = { userName: 'ann/é', providerId: 4 };
const info = {
  ...ann,
  id: 12,
  fullName: 'Ann',
  email: 'ann@example.com',
  cards: ['04A2B3C4'],
  shortId: '8271',
  token: null,
  groupIds: [5],
};

describe("a user's own record", () => {
  it('is read by name and provider, and leaves cards and short id behind', async () => {
    await using under = await resourceWith(answerJson(info));
    expect(await createUsers(under.parts).read(ann, asUser)).toEqual({
      ...ann,
      id: 12,
      fullName: 'Ann',
      email: 'ann@example.com',
      groupIds: [5],
    });
    expect(requestsOf(under)).toEqual(['GET /api/v1/users?username=ann%2F%C3%A9&providerid=4']);
  });

  it.each([{ id: undefined }, { providerId: '4' }, { userName: '' }])('with %j is none', async (wrong) => {
    await using under = await resourceWith(answerJson({ ...info, ...wrong }));
    expect((await problemOf(createUsers(under.parts).read(ann, asUser))).code).toBe('cloud-protocol');
  });

  itGoesWithEitherToken((parts, options) => createUsers(parts).read(ann, options), answerJson(info));
  itRejectsRefusals((parts, options) => createUsers(parts).read(ann, options));
});

describe('enrolling a card', () => {
  const card = new CardNumber('04A2B3C4');
  const done = answerJson({ errorCode: 0 });

  it('posts the number to the cards of the user', async () => {
    await using under = await resourceWith(done);
    await createUsers(under.parts).enrolCard(ann, card, asUser);
    expect(requestsOf(under)).toEqual(['POST /api/v1/users/ann%2F%C3%A9/cards cardid=04A2B3C4']);
  });

  it.each([
    [answerJson({ errorCode: 1005 }), { code: 'cloud-rejected', reasons: ['enroll-card-error'] }],
    [answerJson({ errorCode: 1005 }, 400), { code: 'cloud-rejected', reasons: ['enroll-card-error'] }],
    [answerStatus(200), { code: 'cloud-protocol' }],
  ])('is done only where the service says so (case %#)', async (reply, expected) => {
    await using under = await resourceWith(reply);
    const problem = await problemOf(createUsers(under.parts).enrolCard(ann, card, asUser));
    expect(problem).toMatchObject(expected);
    expect(problem.message).not.toMatch(/ann|04A2B3C4/);
  });

  it('is not repeated when the answer is lost', async () => {
    await using under = await resourceWith((response) => response.socket?.resetAndDestroy());
    const problem = await problemOf(createUsers(under.parts).enrolCard(ann, card, asUser));
    expect(problem.delivery).toBe('perhaps');
    expect(under.server.asked).toHaveLength(1);
  });

  itGoesWithEitherToken((parts, options) => createUsers(parts).enrolCard(ann, card, options), done);
  itRejectsRefusals((parts, options) => createUsers(parts).enrolCard(ann, card, options));
});
