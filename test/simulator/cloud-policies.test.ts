/** The price list, transactions and policies of the simulated cloud, whose schedules run on its clock. */
import { expect, test } from 'vitest';
import { hours } from '../../src/core/duration.ts';
import { runOf } from '../../src/simulator/cloud/records/balance-records.ts';
import type { CloudOptions } from '../../src/simulator/cloud/cloud.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { administratorOf } from './administrator.ts';
import { api, form } from '../support/cloud/hand-client.ts';

const prices = { bwNormalPage: 0.05, bwLargePage: 0.1, colorNormalPage: 0.2, colorLargePage: 0.4 };
const bob = { userName: 'bob', providerId: 3 };
const bobs = 'username=bob&providerid=3';
const quota = { policyName: 'Staff', balanceType: 'quota', groupIds: [1] };

async function charging(options: CloudOptions = {}) {
  const at = await administratorOf({ charging: 'history', ...options });
  await at.ask('PUT', '/balance/config', { enabled: true, ...prices });
  const balance = async () => (await at.ask('GET', `/balance?${bobs}`)).body;
  const given = (operation: string, amount: number, balanceType = 'quota') =>
    at.ask('POST', '/balance/transactions', { ...bob, operation, balanceType, amount });
  return { ...at, balance, given };
}

test('the price list turns balance on and off, and keeps its prices', async () => {
  await using at = await administratorOf();
  expect((await at.ask('GET', '/balance/config')).body).toMatchObject({ enabled: false, bwNormalPage: 0 });
  expect((await at.ask('GET', '/balance/policies')).status).toBe(405);
  const on = await at.ask('PUT', '/balance/config', { enabled: true, ...prices });
  expect(on.body).toEqual({ accountId: 2, enabled: true, ...prices });
  await at.ask('PUT', '/balance/config', { enabled: false, ...prices });
  expect((await at.ask('GET', '/balance/config')).body).toEqual({ accountId: 2, enabled: false, ...prices });
  await using without = await administratorOf({ balances: 'missing' });
  expect((await without.ask('GET', '/balance/config')).status).toBe(405);
  expect(at.cloud.deviations).toEqual([]);
});

test('what is given, taken and set is kept with the balances after it, the most recent first', async () => {
  await using at = await charging();
  await at.ask('PUT', '/balance/policies/default', { policyName: 'All', balanceType: 'quota_wallet' });
  expect((await at.given('add', 12.5, 'wallet')).body).toMatchObject({
    id: 1,
    userId: 102,
    quotaAmount: 0,
    walletAmount: 12.5,
    transactionType: 'TOP_UP',
    quotaBalanceAfter: 0,
    walletBalanceAfter: 12.5,
    adminUserId: 104,
    description: '',
  });
  await at.given('set', 3);
  await at.given('remove', 0.1);
  expect(await at.balance()).toMatchObject({ quotaBalance: 2.9, walletBalance: 12.5, totalBalance: 15.4 });
  expect((await at.given('remove', 3)).status).toBe(400);
  const job = form({ jobtype: 'PRINT', username: 'bob', providerid: '3', totalpages: '2', title: 'Menu' });
  await api(at.cloud, '/documents/history', { method: 'POST', token: at.device, body: job });
  const first = Object((await at.ask('GET', `/balance/transactions?${bobs}&maxrecords=2`)).body);
  expect(first.items).toMatchObject([
    { transactionType: 'DEDUCTION', quotaAmount: -0.1, description: 'Menu' },
    { transactionType: 'WITHDRAW', quotaAmount: -0.1 },
  ]);
  const rest = await at.ask('GET', `/balance/transactions?pagetoken=${first.nextPageToken}`);
  expect(rest.body).toMatchObject({
    items: [{ transactionType: 'ADJUSTMENT' }, { id: 1 }],
    recordsOnPage: 2,
  });
  expect((await at.ask('GET', '/balance/transactions?username=nobody&providerid=3')).status).toBe(404);
  expect(at.cloud.deviations).toEqual([]);
  await at.given('set', 1, 'wallet');
  await at.given('add', 0.0000001);
  expect(at.cloud.deviations).toEqual([
    expect.stringContaining('quota only'),
    expect.stringContaining('six decimals at most'),
  ]);
});

test('policies stand in their order, the default one last, which is kept when it is first changed', async () => {
  await using at = await charging();
  expect((await at.ask('GET', '/balance/policies')).body).toMatchObject([
    { id: 0, balanceType: 'free', isDefault: true },
  ]);
  for (const policyName of ['One', 'Two'])
    await at.ask('POST', '/balance/policies', { ...quota, policyName });
  const ordered = await at.ask('PUT', '/balance/policies/order', { orderedPolicyIds: [2, 1] });
  expect(ordered.body).toMatchObject([
    { id: 2, priority: 1 },
    { id: 1, priority: 2 },
  ]);
  for (const orderedPolicyIds of [[2], [2, 2], [1, 2, 3]]) {
    expect((await at.ask('PUT', '/balance/policies/order', { orderedPolicyIds })).status).toBe(400);
  }
  const all = { policyName: 'All', balanceType: 'wallet', initialBalance: 2 };
  expect((await at.ask('PUT', '/balance/policies/default', { ...all, groupIds: [1] })).status).toBe(400);
  expect((await at.ask('PUT', '/balance/policies/default', all)).body).toMatchObject({
    id: 3,
    isDefault: true,
  });
  expect((await at.ask('GET', '/balance/policies')).body).toMatchObject([
    { id: 2 },
    { id: 1 },
    { id: 3, priority: 0 },
  ]);
  expect((await at.ask('DELETE', '/balance/policies/3')).status).toBe(400);
  expect((await at.ask('DELETE', '/balance/policies/1')).status).toBe(204);
  expect((await at.ask('POST', '/balance/policies', { ...quota, groupIds: [9] })).status).toBe(400);
  expect(at.cloud.deviations).toEqual([]);
});

test('whom no policy makes pay is free, as the virtual default policy says: nothing is too dear, and nothing is taken off', async () => {
  await using at = await charging();
  const mine = at.cloud.addDocument({ owner: 'admin', name: 'Poster.pdf' });
  const job = { totalPages: 5, colorPages: 5, paperSize: 'A3', copies: 9 };
  const asked = { uuid: mine.info.uuid, userName: 'admin', providerId: 3, ...job };
  expect((await at.ask('POST', '/balance/check', asked)).body).toMatchObject({
    balanceEnabled: true,
    sufficientBalance: true,
    calculatedCost: 18,
  });
  const record = form({ jobtype: 'PRINT', username: 'bob', providerid: '3', totalpages: '2', title: 'Menu' });
  await api(at.cloud, '/documents/history', { method: 'POST', token: at.device, body: record });
  expect(Object((await at.ask('GET', `/balance/transactions?${bobs}`)).body).items).toEqual([]);
  await at.ask('PUT', '/balance/policies/default', { policyName: 'All', balanceType: 'quota_wallet' });
  expect((await at.ask('POST', '/balance/check', asked)).body).toMatchObject({ sufficientBalance: false });
});

test('a user’s first transaction follows the initial balance of the first policy for one of the groups', async () => {
  await using at = await charging();
  await at.ask('POST', '/balance/policies', { ...quota, initialBalance: 5 });
  await at.ask('POST', '/balance/policies', { ...quota, policyName: 'Later', balanceType: 'free' });
  expect(await at.balance()).toMatchObject({ totalBalance: 0 });
  await at.given('add', 1);
  expect(await at.balance()).toMatchObject({ quotaBalance: 6 });
});

test.each([
  { operation: 'set', amount: 3, has: 3 },
  { operation: 'remove', amount: 4, has: 1 },
])('a first $operation of $amount counts from the initial balance', async ({ operation, amount, has }) => {
  await using at = await charging();
  await at.ask('POST', '/balance/policies', { ...quota, initialBalance: 5 });
  expect((await at.given(operation, amount)).body).toMatchObject({ quotaBalanceAfter: has });
  expect(at.cloud.state.balanceTransactions.map((one) => one.transactionType)).toHaveLength(2);
});

test('a first job is paid from the initial balance, and a check before it counts that', async () => {
  await using at = await charging();
  await at.ask('POST', '/balance/policies', { ...quota, initialBalance: 5 });
  const { uuid } = at.cloud.addDocument({ owner: 'admin', name: 'Own.pdf' }).info;
  const pages = { totalPages: 2, colorPages: 2, paperSize: 'A4', copies: 1 };
  const check = { uuid, userName: 'admin', providerId: 3, ...pages };
  const reported = { sufficientBalance: true, currentBalance: 5, calculatedCost: 0.4 };
  expect((await at.ask('POST', '/balance/check', check)).body).toMatchObject(reported);
  expect((await at.ask('POST', '/balance/check', { ...check, colorPages: 3 })).status).toBe(400);
  const job = form({ jobtype: 'PRINT', username: 'bob', providerid: '3', totalpages: '2' });
  await api(at.cloud, '/documents/history', { method: 'POST', token: at.device, body: job });
  expect(await at.balance()).toMatchObject({ quotaBalance: 4.9 });
});

test('a first run of a schedule resets to its target, whatever the initial balance', async () => {
  const clock = createSteeredClock();
  await using at = await charging({ clock, userTokenLife: hours(90 * 24) });
  const schedule = { frequency: 'weekly', scheduledTime: '2026-11-22T08:00:00+02:00', targetAmount: 4 };
  await at.ask('POST', '/balance/policies', { ...quota, initialBalance: 5, schedule });
  await clock.advance(hours(24));
  expect(await at.balance()).toMatchObject({ quotaBalance: 4, lastUpdated: '2026-11-22T06:00:00.000Z' });
});

test.each([
  { balanceType: 'free', sufficientBalance: true, currentBalance: 3 },
  { balanceType: 'quota', sufficientBalance: false, currentBalance: 1 },
  { balanceType: 'wallet', sufficientBalance: true, currentBalance: 2 },
])('by a policy of $balanceType a check counts $currentBalance', async ({ balanceType, ...reported }) => {
  await using at = await charging();
  await at.ask('POST', '/balance/policies', { ...quota, balanceType });
  at.cloud.setUserBalance('admin', { quota: 1, wallet: 2 });
  const { uuid } = at.cloud.addDocument({ owner: 'admin', name: 'Own.pdf' }).info;
  const job = {
    uuid,
    userName: 'admin',
    providerId: 3,
    totalPages: 10,
    colorPages: 10,
    paperSize: 'A4',
    copies: 1,
  };
  expect((await at.ask('POST', '/balance/check', job)).body).toMatchObject({
    ...reported,
    calculatedCost: 2,
  });
});

test('a schedule sets the quota at each run, as often as the clock has passed one', async () => {
  const clock = createSteeredClock();
  await using at = await charging({ clock, userTokenLife: hours(90 * 24) });
  const schedule = { frequency: 'weekly', scheduledTime: '2026-11-22T08:00:00+02:00', targetAmount: 4 };
  const made = Object((await at.ask('POST', '/balance/policies', { ...quota, schedule })).body);
  expect(made.schedule).toEqual({ ...schedule, enabled: true, scheduledTime: '2026-11-22T06:00:00.000Z' });
  await at.given('add', 1);
  await clock.advance(hours(24));
  expect(await at.balance()).toMatchObject({ quotaBalance: 4, lastUpdated: '2026-11-22T06:00:00.000Z' });
  await at.given('remove', 3);
  await clock.advance(hours(14 * 24));
  expect(await at.balance()).toMatchObject({ quotaBalance: 4, lastUpdated: '2026-12-06T06:00:00.000Z' });
  const runs = at.cloud.state.balanceTransactions.filter(
    (one) => one.userName === 'bob' && one.transactionType === 'RENEW',
  );
  expect(runs).toHaveLength(3);
  await at.ask('PUT', '/balance/policies/1', quota);
  expect(at.cloud.state.balancePolicies[0]?.schedule).toBeDefined();
  await at.ask('PUT', '/balance/policies/1', { ...quota, schedule: { enabled: false } });
  expect((await at.ask('GET', '/balance/policies/1')).body).not.toHaveProperty('schedule');
  expect(at.cloud.deviations).toEqual([]);
});

test.each(['weekly', 'monthly'] as const)(
  'a %s schedule may have begun before anybody counted time',
  async (frequency) => {
    await using at = await charging();
    const schedule = { frequency, scheduledTime: '0101-01-01T08:00:00.000Z', targetAmount: 4 };
    const made = await at.ask('POST', '/balance/policies', { ...quota, schedule });
    expect(made).toMatchObject({ status: 200, body: { schedule } });
    expect(await at.balance()).toMatchObject({ quotaBalance: 0 });
  },
);

test('a monthly schedule keeps its time of day from before 1970 on', () => {
  const start = Date.UTC(1969, 11, 31, 6, 30);
  const next = runOf({ frequency: 'monthly', runs: 1, start, targetAmount: 0 });
  expect(new Date(next).toISOString()).toBe('1970-01-31T06:30:00.000Z');
});

test.each([
  { frequency: 'monthly', runs: 1, at: '2027-02-28T06:30:00.000Z' },
  { frequency: 'monthly', runs: 2, at: '2027-03-31T06:30:00.000Z' },
  { frequency: 'quarterly', runs: 1, at: '2027-04-30T06:30:00.000Z' },
  { frequency: 'yearly', runs: 1, at: '2028-01-31T06:30:00.000Z' },
] as const)(
  'run $runs of a $frequency schedule from the last of January is at $at',
  ({ frequency, runs, at }) => {
    const start = Date.UTC(2027, 0, 31, 6, 30);
    expect(new Date(runOf({ frequency, runs, start, targetAmount: 0 })).toISOString()).toBe(at);
  },
);
