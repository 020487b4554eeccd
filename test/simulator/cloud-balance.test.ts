/** Money in the simulated cloud: in whole cents inside, in exact decimals on the wire. */
import { expect, test } from 'vitest';
import { charged, costOf } from '../../src/simulator/cloud/calls/balance/prices.ts';
import type { SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { api, arrive, fieldsOf, form } from '../support/cloud/hand-client.ts';

const prices = { bwNormalPage: 5, bwLargePage: 9, colorNormalPage: 10, colorLargePage: 25 };

const jobs = [
  { job: { totalPages: 3, colorPages: 1, paperSize: 'A4', copies: 1 }, cents: 20 },
  { job: { totalPages: 3, colorPages: 1, paperSize: 'A3', copies: 2 }, cents: 86 },
  { job: { totalPages: 1, colorPages: 0, paperSize: 'Tabloid', copies: 1 }, cents: 9 },
  { job: { totalPages: 0, colorPages: 0, paperSize: '', copies: 1 }, cents: 0 },
];

test.each(jobs)('$job costs $cents cents', ({ job, cents }) => {
  expect(costOf(prices, job)).toBe(cents);
});

test('the quota is charged before the wallet, and nothing falls below zero', () => {
  const balance = { userName: 'alice', providerId: 3, quota: 10, wallet: 5, lastUpdated: '' };
  expect([4, 12, 99].map((cents) => charged(balance, cents))).toMatchObject([
    { quota: 6, wallet: 5 },
    { quota: 0, wallet: 3 },
    { quota: 0, wallet: 0 },
  ]);
});

async function check(cloud: SimulatedCloud, token: string, totalPages: number): Promise<string> {
  const answer = await api(cloud, '/balance/check', {
    ...{ method: 'POST', token, headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({
      ...{ uuid: cloud.state.documents[0]?.info.uuid, userName: 'alice', providerId: 3 },
      ...{ totalPages, colorPages: totalPages, paperSize: 'A4', copies: 1 },
    }),
  });
  return answer.text();
}

const own = '/balance?username=alice&providerid=3';

test('a price list turns balance on: what a check answers is counted', async () => {
  await using cloud = await startCloud();
  const { user, device } = await arrive(cloud);
  expect((await api(cloud, own, { token: user })).status).toBe(405);
  cloud.setPrices(prices);
  cloud.setUserBalance('alice', { quota: 20, wallet: 10 });
  // 0.1 + 0.2 of floating point would be 0.30000000000000004.
  expect(await check(cloud, user, 3)).toBe(
    '{"balanceEnabled":true,"sufficientBalance":true,"currentBalance":0.3,"calculatedCost":0.3}',
  );
  expect(await check(cloud, user, 4)).toContain('"sufficientBalance":false');
  const balance = await fieldsOf(await api(cloud, own, { token: device }));
  expect(balance).toMatchObject({ quotaBalance: 0.2, walletBalance: 0.1, totalBalance: 0.3 });
  cloud.setPrices(undefined);
  expect(await check(cloud, user, 3)).toContain('"balanceEnabled":false');
  expect(cloud.deviations).toEqual([]);
});

test('an answer that was set goes before any counting', async () => {
  await using cloud = await startCloud();
  const { user } = await arrive(cloud);
  cloud.setPrices(prices);
  const set = { balanceEnabled: true, sufficientBalance: false, currentBalance: 0.5, calculatedCost: 2 };
  cloud.setBalance(set);
  expect(JSON.parse(await check(cloud, user, 1))).toEqual(set);
  expect(await fieldsOf(await api(cloud, own, { token: user }))).toMatchObject({ totalBalance: 0.5 });
  cloud.setBalance(undefined);
  expect(await check(cloud, user, 1)).toContain('"sufficientBalance":true');
});

test('a user without a record has nothing, and one that is not there is not found', async () => {
  await using cloud = await startCloud();
  const { user } = await arrive(cloud);
  cloud.setPrices(prices);
  const bob = await fieldsOf(await api(cloud, '/balance?username=bob&providerid=3', { token: user }));
  expect(bob).toEqual({
    ...{ userName: 'bob', providerId: 3, quotaBalance: 0, walletBalance: 0, totalBalance: 0 },
  });
  const nobody = await api(cloud, '/balance?username=nobody&providerid=3', { token: user });
  expect(nobody.status).toBe(404);
});

test.each([
  ['nothing', 1000],
  ['history', 995],
] as const)('where recording charges %s, a page leaves %i cents', async (charging, left) => {
  await using cloud = await startCloud({ charging });
  const { device } = await arrive(cloud);
  cloud.setPrices(prices);
  cloud.setUserBalance('alice', { quota: 1000 });
  const body = form({
    jobtype: 'PRINT',
    username: 'alice',
    providerid: '3',
    totalpages: '1',
    papersize: 'A4',
  });
  await api(cloud, '/documents/history', { method: 'POST', token: device, body });
  expect(cloud.state.balances.find(({ userName }) => userName === 'alice')?.quota).toBe(left);
});
