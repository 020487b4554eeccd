/** Account over the wire: spec, Account and AccountInfo. */
import { describe, expect, it } from 'vitest';
import { createAccounts } from '../../../src/cloud/resources/account.ts';
import { asking, problemOf } from '../../support/cloud/cloud-under-test.ts';
import { answerJson, answerStatus } from '../../support/cloud/scripted-server.ts';
import {
  asUser,
  itGoesWithEitherToken,
  itRejectsRefusals,
  requestsOf,
  resourceWith,
} from './resource-under-test.ts';

const info = {
  id: 5,
  name: 'Example',
  accountType: 2,
  domainNames: ['example.com', 'example.org'],
  uuid: 'a-1',
  timezone: 'Europe/Berlin',
  primaryDomain: 'example.com',
};

describe('an account', () => {
  it('is read by its domain', async () => {
    await using under = await resourceWith(answerJson(info));
    const account = await createAccounts(under.parts).read({ ...asUser, domainName: 'exämple.com' });
    expect(account).toEqual({
      id: 5,
      name: 'Example',
      type: 'customer',
      domainNames: ['example.com', 'example.org'],
      timezone: 'Europe/Berlin',
      primaryDomain: 'example.com',
    });
    expect(requestsOf(under)).toEqual(['GET /api/v1/account?domainname=ex%C3%A4mple.com']);
  });

  it('may have neither domains nor a timezone', async () => {
    const bare = { ...info, accountType: 3, domainNames: [], timezone: null, primaryDomain: undefined };
    await using under = await resourceWith(answerJson(bare));
    expect(await createAccounts(under.parts).read(asUser)).toEqual({
      id: 5,
      name: 'Example',
      type: 'container',
      domainNames: [],
    });
    expect(requestsOf(under)).toEqual(['GET /api/v1/account']);
  });

  it.each([{ id: '5' }, { name: null }, { accountType: 4 }])('with %j is none', async (wrong) => {
    await using under = await resourceWith(answerJson({ ...info, ...wrong }));
    expect((await problemOf(createAccounts(under.parts).read(asUser))).code).toBe('cloud-protocol');
  });

  itGoesWithEitherToken((parts, options) => createAccounts(parts).read(options), answerJson(info));
  itRejectsRefusals((parts, options) => createAccounts(parts).read(options));
});

it('the containers of an account are listed, with the domains they go by', async () => {
  const kitchen = { id: 7, name: 'Kitchen\u202e', domainNames: ['kitchen.example.com'], timezone: null };
  await using under = await resourceWith(answerJson([kitchen, { id: 8 }, { name: 'no id' }]));
  expect(await createAccounts(under.parts).containers(asUser)).toEqual([
    { id: 7, name: 'Kitchen', domainNames: ['kitchen.example.com'] },
    { id: 8, name: '', domainNames: [] },
  ]);
  expect(requestsOf(under)).toEqual(['GET /api/v1/account/containers']);
});

describe('whether an account exists', () => {
  it.each([
    [200, true],
    [404, false],
  ])('is told by status %i to a HEAD without key and token', async (status, expected) => {
    await using under = await resourceWith(answerStatus(status));
    const accounts = createAccounts(under.parts);
    expect(await accounts.exists({ ...asking, domainName: 'example.com' })).toBe(expected);
    expect(requestsOf(under)).toEqual(['HEAD /api/v1/account?domainname=example.com']);
    expect(under.server.asked[0]?.headers).not.toHaveProperty('x-api-key');
    expect(under.server.asked[0]?.headers).not.toHaveProperty('authorization');
  });

  it('is not known from a web page, whose server would be shown the key next', async () => {
    await using under = await resourceWith(answerStatus(200, { 'content-type': 'text/html; charset=utf-8' }));
    const problem = await problemOf(createAccounts(under.parts).exists(asking));
    expect([problem.code, problem.message]).toEqual([
      'cloud-protocol',
      expect.stringContaining('a web page'),
    ]);
  });

  it('is not known from any other answer', async () => {
    await using under = await resourceWith(answerStatus(503));
    expect((await problemOf(createAccounts(under.parts).exists(asking))).code).toBe('cloud-busy');
  });
});
