/** Money in the simulated cloud: in whole millionths inside, in exact decimals on the wire. */
import { expect, test } from 'vitest';
import {
  charged,
  costOf,
  decimal,
  exact,
  priceListOf,
} from '../../src/simulator/cloud/records/balance-records.ts';
import type { SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { api, arrive, fieldsOf, form } from '../support/cloud/hand-client.ts';

const prices = { bwNormalPage: 0.05, bwLargePage: 0.09, colorNormalPage: 0.1, colorLargePage: 0.25 };

const jobs = [
  { job: { totalPages: 3, colorPages: 1, paperSize: 'A4', copies: 1 }, cost: 0.2 },
  { job: { totalPages: 3, colorPages: 1, paperSize: 'A3', copies: 2 }, cost: 0.86 },
  { job: { totalPages: 1, colorPages: 0, paperSize: 'Tabloid', copies: 1 }, cost: 0.09 },
  { job: { totalPages: 0, colorPages: 0, paperSize: '', copies: 1 }, cost: 0 },
];

test.each(jobs)('$job costs $cost', ({ job, cost }) => {
  expect(decimal(costOf(priceListOf(prices), job))).toBe(cost);
});

test.each([0, 0.035, 0.000001, 12.5, 1e6, 123456.654321, 99999999.999999])(
  '%d is kept to its last digit',
  (written) => {
    expect(decimal(exact(written))).toBe(written);
  },
);

test.each([0.0000001, 1.1234567, -1, 1e21, NaN])('%d is no amount', (written) => {
  expect(() => exact(written)).toThrow('is no amount: six decimals at most');
});

test('prices of half a cent add up: 0.035 for each of 1,001 pages', async () => {
  await using cloud = await startCloud();
  const { user } = await arrive(cloud);
  cloud.setPrices({ ...prices, bwNormalPage: 0.035, colorNormalPage: 0.035 });
  cloud.setUserBalance('alice', { quota: 35.035 });
  expect(JSON.parse(await check(cloud, user, 1_001))).toMatchObject({
    sufficientBalance: true,
    calculatedCost: 35.035,
  });
  cloud.setUserBalance('alice', { quota: 35.034999 });
  expect(JSON.parse(await check(cloud, user, 1_001))).toMatchObject({ sufficientBalance: false });
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
    method: 'POST',
    token,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      uuid: cloud.state.documents[0]?.info.uuid,
      userName: 'alice',
      providerId: 3,
      totalPages,
      colorPages: totalPages,
      paperSize: 'A4',
      copies: 1,
    }),
  });
  return answer.text();
}

const own = '/balance?username=alice&providerid=3';

test('a price list turns balance on: what a check answers is counted', async () => {
  await using cloud = await startCloud();
  const { user } = await arrive(cloud);
  expect((await api(cloud, own, { token: user })).status).toBe(405);
  cloud.setPrices(prices);
  cloud.setUserBalance('alice', { quota: 0.2, wallet: 0.1 });
  // 0.1 + 0.2 of floating point would be 0.30000000000000004.
  expect(await check(cloud, user, 3)).toBe(
    '{"balanceEnabled":true,"sufficientBalance":true,"currentBalance":0.3,"calculatedCost":0.3}',
  );
  expect(await check(cloud, user, 4)).toContain('"sufficientBalance":false');
  const balance = await fieldsOf(await api(cloud, own, { token: user }));
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
    userName: 'bob',
    providerId: 3,
    quotaBalance: 0,
    walletBalance: 0,
    totalBalance: 0,
  });
  const nobody = await api(cloud, '/balance?username=nobody&providerid=3', { token: user });
  expect(nobody.status).toBe(404);
});

test('a release costs what the check says, by a printer of the service and by a download that ends it', async () => {
  await using cloud = await startCloud();
  const { device, user } = await arrive(cloud);
  cloud.setPrices(prices);
  cloud.setUserBalance('alice', { quota: 10 });
  const left = async () => (await fieldsOf(await api(cloud, own, { token: device })))['quotaBalance'];
  const { uuid } = cloud.addDocument({ owner: 'alice', name: 'Plan.pdf', pages: 4 }).info;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const release = { method: 'POST', token: user, headers, body: 'copies=2&grayscale=true' };
  expect((await api(cloud, `/documents/${uuid}/SN-0001`, release)).status).toBe(200);
  expect(await left()).toBe(9.6);
  const second = cloud.addDocument({ owner: 'alice', name: 'Poster.pdf', info: { paperSize: 'A3' } }).info;
  await api(cloud, `/documents/${second.uuid}.content?retain=true`, { token: user });
  expect(await left()).toBe(9.6);
  await api(cloud, `/documents/${second.uuid}.content`, { token: user });
  expect(await left()).toBe(9.35);
  expect(cloud.state.balanceTransactions).toMatchObject([
    { transactionType: 'DEDUCTION', description: 'Plan.pdf', documentUuid: uuid },
    { transactionType: 'DEDUCTION', description: 'Poster.pdf', documentUuid: second.uuid },
  ]);
});

test.each(['history', 'nothing'] as const)(
  'where charging is %s, a release costs nothing',
  async (charging) => {
    await using cloud = await startCloud({ charging });
    const { device, user } = await arrive(cloud);
    cloud.setPrices(prices);
    cloud.setUserBalance('alice', { quota: 10 });
    const { uuid } = cloud.addDocument({ owner: 'alice', name: 'Plan.pdf' }).info;
    await api(cloud, `/documents/${uuid}.content`, { token: user });
    expect(await fieldsOf(await api(cloud, own, { token: device }))).toMatchObject({ quotaBalance: 10 });
  },
);

test.each([
  ['nothing', 10],
  ['history', 9.95],
  ['releases', 9.95],
] as const)('where charging is %s, a record of a page leaves %d', async (charging, left) => {
  await using cloud = await startCloud({ charging });
  const { device } = await arrive(cloud);
  cloud.setPrices(prices);
  cloud.setUserBalance('alice', { quota: 10 });
  const body = form({
    jobtype: 'PRINT',
    username: 'alice',
    providerid: '3',
    totalpages: '1',
    papersize: 'A4',
  });
  await api(cloud, '/documents/history', { method: 'POST', token: device, body });
  const balance = await fieldsOf(await api(cloud, own, { token: device }));
  expect(balance).toMatchObject({ quotaBalance: left });
});
