/** No id of the simulated cloud is given twice: tokens, records and clients may hold that of a thing that is gone. */
import { expect, test } from 'vitest';
import { administratorOf } from './administrator.ts';
import { api, fieldsOf, form } from '../support/cloud/hand-client.ts';

test('the token of a user who is gone is nobody’s, also when another user has come', async () => {
  await using at = await administratorOf();
  await at.submit('PUT', '/users', { username: 'dora', detailtype: '3', detaildata: 'secret' });
  const asked = form({ authtype: '0', userid: 'dora', password: 'secret' });
  const login = await api(at.cloud, '/login', { method: 'POST', token: at.device, body: asked });
  const { access_token: token } = Object((await fieldsOf(login))['token']);
  expect((await api(at.cloud, '/version', { token })).status).toBe(200);
  await at.ask('DELETE', '/users/dora');
  await at.submit('PUT', '/users', { username: 'emil' });
  expect((await api(at.cloud, '/version', { token })).status).toBe(401);
});

test('with a user goes what is known by the name alone: the next one of that name begins with nothing', async () => {
  await using at = await administratorOf();
  at.cloud.setPrices({ bwNormalPage: 0.05, bwLargePage: 0.09, colorNormalPage: 0.2, colorLargePage: 0.35 });
  at.cloud.setUserBalance('bob', { quota: 5 });
  const role = { authProviderId: 3, roleName: 'Administrators', userName: 'bob' };
  await at.ask('PUT', '/accesscontrols?accountdomain=example.org', role);
  await at.ask('DELETE', '/users/bob');
  await at.submit('PUT', '/users', { username: 'bob' });
  expect((await at.ask('GET', '/balance?username=bob&providerid=3')).body).toMatchObject({ totalBalance: 0 });
  expect(at.cloud.state.documents.map(({ owner }) => owner)).toEqual(['alice', 'alice']);
  expect(at.cloud.state.accessControls).toEqual([]);
});

test.each([
  { what: 'group', path: '/groups', last: 2, make: { groupname: 'Night shift' } },
  {
    what: 'printer',
    path: '/outputports',
    last: 8,
    make: { domainname: 'example.org', portname: 'Attic', address: '10.0.0.9', porttype: '1' },
    method: 'POST',
  },
] as const)('the id of a $what that is gone is not given again', async (given) => {
  const { path, last, make, method } = { method: 'PUT', ...given };
  await using at = await administratorOf();
  await at.ask('DELETE', `${path}/${last}`);
  expect((await at.submit(method, path, make)).body).toEqual({ errorCode: 0, id: last + 1 });
});

test('of many transactions each has its own id', async () => {
  await using at = await administratorOf();
  at.cloud.setPrices({ bwNormalPage: 0.05, bwLargePage: 0.09, colorNormalPage: 0.2, colorLargePage: 0.35 });
  const given = { userName: 'bob', providerId: 3, operation: 'add', balanceType: 'wallet', amount: 1 };
  await at.ask('POST', '/balance/transactions', given);
  const [first] = at.cloud.state.balanceTransactions;
  const many = Array.from({ length: 200_000 }, () => first).filter((one) => one !== undefined);
  at.cloud.state.balanceTransactions = many;
  expect((await at.ask('POST', '/balance/transactions', given)).body).toMatchObject({ id: 2 });
});
