/** A user's own account over the wire: spec, Users and Balance; refusals are no answer, faults reject. */
import { describe, expect, it } from 'vitest';
import { createOwnAccount } from '../../../src/cloud/resources/person/own-account.ts';
import { Secret } from '../../../src/core/secret.ts';
import { parseAmount } from '../../../src/domain/amount.ts';
import type { OwnAccount } from '../../../src/domain/ports/own-account.ts';
import type { Login } from '../../../src/domain/user.ts';
import { asking, problemOf, userToken } from '../../support/cloud/cloud-under-test.ts';
import { answerJson, answerStatus } from '../../support/cloud/scripted-server.ts';
import { requestsOf, resourceWith } from './resource-under-test.ts';

const login: Login = {
  user: { id: 12, providerId: 3, userName: 'älice', fullName: 'Alice' },
  token: userToken,
};
const owner = 'username=%C3%A4lice&providerid=3';

describe('the last transactions', () => {
  it('are ten, of quota and wallet together, to the last digit', async () => {
    const one = { id: 1, transactionType: 'DEDUCTION', quotaAmount: -0.1, walletAmount: -0.2 };
    const items = [
      { ...one, description: 'Plan\u202e.pdf', timestamp: '2026-11-20T10:00:00+01:00' },
      { ...one, transactionType: 'BRAND_NEW', description: 7, timestamp: 'yesterday' },
      { ...one, quotaAmount: 'much' },
    ];
    await using under = await resourceWith(answerJson({ items, nextPageToken: 'more' }));
    const found = await createOwnAccount(under.parts).transactions(login, asking);
    expect(found).toMatchObject([
      { kind: 'deduction', amount: parseAmount('-0.3'), at: '2026-11-20T10:00:00+01:00' },
      { kind: 'other', amount: parseAmount('-0.3'), description: '' },
    ]);
    expect(found?.[0]?.description).not.toContain('\u202e');
    expect(found?.[1]).not.toHaveProperty('at');
    expect(requestsOf(under)).toEqual([`GET /api/v1/balance/transactions?${owner}&maxrecords=10`]);
    expect(under.server.asked[0]?.headers.authorization).toBe('Bearer canary-user-token');
  });
});

describe('the prices', () => {
  const prices = { bwNormalPage: 0.05, bwLargePage: 0.1, colorNormalPage: 0.2, colorLargePage: 0.4 };

  it('are those of a page, where prints are charged', async () => {
    await using under = await resourceWith(answerJson({ accountId: 1, enabled: true, ...prices }));
    expect(await createOwnAccount(under.parts).prices(login, asking)).toEqual({
      bwNormal: parseAmount('0.05'),
      bwLarge: parseAmount('0.1'),
      colorNormal: parseAmount('0.2'),
      colorLarge: parseAmount('0.4'),
    });
  });

  it('are none where they are not', async () => {
    await using under = await resourceWith(answerJson({ accountId: 1, enabled: false, ...prices }));
    expect(await createOwnAccount(under.parts).prices(login, asking)).toBeUndefined();
  });
});

it('the cards are read, and shown by nothing that prints them', async () => {
  await using under = await resourceWith(answerJson({ id: 12, userName: 'älice', cards: ['04A1', '04B2'] }));
  const cards = await createOwnAccount(under.parts).cards(login, asking);
  expect(cards?.map((card) => card.reveal())).toEqual(['04A1', '04B2']);
  expect(JSON.stringify(cards)).toBe('["[card]","[card]"]');
  expect(requestsOf(under)).toEqual([`GET /api/v1/users?${owner}`]);
});

it('a user without a list of cards has none', async () => {
  await using under = await resourceWith(answerJson({ id: 12, cards: null }));
  expect(await createOwnAccount(under.parts).cards(login, asking)).toEqual([]);
});

it('all cards are dropped by the detail without data; a short id is the detail with it', async () => {
  await using under = await resourceWith(answerJson({ errorCode: 0 }));
  const account = createOwnAccount(under.parts);
  await account.dropCards(login, asking);
  await account.giveShortId(new Secret('480215'), login, asking);
  expect(requestsOf(under)).toEqual([
    'POST /api/v1/users/%C3%A4lice providerid=3&detailtype=4',
    'POST /api/v1/users/%C3%A4lice providerid=3&detailtype=5&detaildata=480215',
  ]);
});

const reads = {
  transactions: (account: OwnAccount) => account.transactions(login, asking),
  prices: (account: OwnAccount) => account.prices(login, asking),
  cards: (account: OwnAccount) => account.cards(login, asking),
};

describe.each(Object.entries(reads))('reading the %s', (_, read) => {
  it.each([403, 404, 405, 501])('is no answer where the service says %i', async (status) => {
    await using under = await resourceWith(answerStatus(status));
    expect(await read(createOwnAccount(under.parts))).toBeUndefined();
  });

  it('rejects what makes no sense', async () => {
    await using under = await resourceWith(answerJson('nonsense'));
    expect((await problemOf(read(createOwnAccount(under.parts)))).code).toBe('cloud-protocol');
  });
});

it.each([
  [403, 'cloud-denied'],
  [400, 'cloud-rejected'],
  [503, 'cloud-busy'],
])('a change that is answered %i rejects %s, and is sent once', async (status, code) => {
  await using under = await resourceWith(answerStatus(status));
  expect((await problemOf(createOwnAccount(under.parts).dropCards(login, asking))).code).toBe(code);
  expect(under.server.asked).toHaveLength(1);
});
