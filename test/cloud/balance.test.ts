/** The port Balance over the wire: src/cloud/README.md 12, row 35; INVARIANTS.md B.4, 4 Balance. */
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { Secret } from '../../src/core/secret.ts';
import { printAmount } from '../../src/domain/amount.ts';
import { sampleTicket } from '../support/sample-ticket.ts';
import { asking, cloudAt, problemOf, userToken } from '../support/cloud/cloud-under-test.ts';
import type { Reply } from '../support/cloud/scripted-server.ts';
import { answerJson, answerStatus, startServer } from '../support/cloud/scripted-server.ts';

const ann = { id: 12, providerId: 4, userName: 'ann', fullName: 'Ann' };
const ticket = sampleTicket(
  { uuid: 'a-1', totalPages: 3, colorPages: undefined, copies: 2, paperSize: 'A4' },
  { user: ann, token: userToken },
);
/** The same user, who has come once more. */
const ofAnotherSession = () => ({
  ...ticket,
  token: { ...userToken, value: new Secret('canary-next-user-token') },
});
const enabled = { balanceEnabled: true, sufficientBalance: true, currentBalance: 5, calculatedCost: 0.3 };
const dropped: Reply = ({ socket }) => socket?.resetAndDestroy();
/** A yes with numbers as they stand, for what JSON.stringify would not write. */
const yesWith =
  (balance: string, cost: string): Reply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      `{"balanceEnabled":true,"sufficientBalance":true,"currentBalance":${balance},"calculatedCost":${cost}}`,
    );
  };

const allowed = 'lets it print';
const unknown = 'balance-unknown';
const all = (end: string) => ({ fresh: end, charging: end, allow: end, deny: end });
/** How a check ends under `auto` where nobody, and where somebody was charged yet, and under the other policies. */
const reactions = {
  'a yes': all(allowed),
  'a no': all('balance-insufficient'),
  'signed out': all('user-token-refused'),
  'no clear answer': { ...all(unknown), allow: allowed },
  'no yes to a wrong question': all(unknown),
  'not available': { ...all(allowed), deny: unknown },
  'a fault': { fresh: allowed, charging: unknown, allow: allowed, deny: unknown },
};

describe('the balance check', () => {
  it('sends what is known of the document, with the token of the user', async () => {
    await using server = await startServer(answerJson(enabled));
    await using under = cloudAt(server.url);
    await under.cloud.balance.check(ticket, asking);
    expect(server.asked).toMatchObject([
      {
        method: 'POST',
        url: '/api/v1/balance/check',
        headers: { 'content-type': 'application/json', authorization: 'Bearer canary-user-token' },
      },
    ]);
    expect(JSON.parse(server.asked[0]?.body ?? '')).toEqual({
      uuid: 'a-1',
      userName: 'ann',
      providerId: 4,
      totalPages: 3,
      paperSize: 'A4',
      copies: 2,
    });
  });

  it.each([
    [{ totalPages: 0, colorPages: 0, paperSize: '' }],
    [{ totalPages: -1, colorPages: -1, paperSize: 'A4' }],
  ])('sends %j as the list of the service said it, believed here or not (I9)', async (said) => {
    const entry = { uuid: 'a-1', documentName: 'Report.pdf', status: 0, copies: 2, ...said };
    await using server = await startServer((...call) => {
      const isList = call[1].method === 'GET';
      answerJson(isList ? [entry] : enabled)(...call);
    });
    await using under = cloudAt(server.url);
    const [document] = (await under.cloud.documents.ready(userToken, asking)).documents;
    await under.cloud.balance.check({ ...ticket, document: document ?? ticket.document }, asking);
    expect(JSON.parse(server.asked[1]?.body ?? '')).toEqual({
      uuid: 'a-1',
      userName: 'ann',
      providerId: 4,
      copies: 2,
      ...said,
    });
  });

  it.each([
    ['in colour', {}, false, 2],
    ['in grey', { grayscale: true }, false, 0],
    ['at a port without colour', {}, true, 0],
  ])('counts the pages in colour of what comes out %s', async (_where, facts, monochrome, colorPages) => {
    await using server = await startServer(answerJson(enabled));
    await using under = cloudAt(server.url);
    const document = { ...ticket.document, colorPages: 2, ...facts };
    await under.cloud.balance.check({ ...ticket, document, monochrome }, asking);
    expect(JSON.parse(server.asked[0]?.body ?? '')).toMatchObject({ totalPages: 3, colorPages });
  });

  it.each<[string, keyof typeof reactions, Reply]>([
    ['enough', 'a yes', answerJson(enabled)],
    ['just enough', 'a yes', yesWith('0.3', '0.30')],
    ['amounts in quotes', 'a yes', yesWith('"12.50"', '"0.30"')],
    ['no balance in use', 'a yes', answerJson({ balanceEnabled: false })],
    ['not enough', 'a no', answerJson({ ...enabled, sufficientBalance: false })],
    ['a no without numbers', 'a no', answerJson({ balanceEnabled: true, sufficientBalance: false })],
    ['a yes that its own numbers belie', 'a no', yesWith('0.2', '0.3')],
    ['a yes belied where a float ends', 'a no', yesWith('0.3', '0.300000000000000001')],
    [
      'a yes without numbers',
      'no clear answer',
      answerJson({ balanceEnabled: true, sufficientBalance: true }),
    ],
    ['numbers without a yes', 'no clear answer', answerJson({ ...enabled, sufficientBalance: null })],
    ['NaN', 'no clear answer', yesWith('5', '"NaN"')],
    ['Infinity', 'no clear answer', yesWith('"Infinity"', '0.3')],
    ['1e400', 'no clear answer', yesWith('1e400', '0.3')],
    ['40 digits', 'no clear answer', yesWith('1'.repeat(40), '0.3')],
    ['a cost below zero', 'no clear answer', yesWith('5', '-0.3')],
    ['401', 'signed out', answerStatus(401)],
    ['403', 'not available', answerStatus(403)],
    ['404', 'not available', answerStatus(404)],
    ['405', 'not available', answerStatus(405)],
    ['501', 'not available', answerStatus(501)],
    ['400', 'no yes to a wrong question', answerStatus(400)],
    ['422', 'no yes to a wrong question', answerStatus(422)],
    ['the error code of a refusal', 'no yes to a wrong question', answerJson({ errorCode: 1006 })],
    ['503', 'a fault', answerStatus(503)],
    ['a lost answer', 'a fault', dropped],
    ['no JSON', 'a fault', answerStatus(200)],
  ])('answered by %s is %s (row 35; B.4, 4; I9)', async (_, kind, reply) => {
    await using server = await startServer(reply);
    const ends = async (balanceOnError: 'auto' | 'allow' | 'deny', isCharging = false) => {
      const charging = { wasSeen: () => isCharging, note: () => {} };
      await using under = cloudAt(server.url, { balanceOnError, ...(isCharging ? { charging } : {}) });
      return await under.cloud.balance.check(ticket, asking).then(
        () => allowed,
        (error: { code: string }) => error.code,
      );
    };
    expect({
      fresh: await ends('auto'),
      charging: await ends('auto', true),
      allow: await ends('allow'),
      deny: await ends('deny'),
    }).toEqual(reactions[kind]);
  });

  it('remembers that prints are charged until the service says that it has ended (row 35)', async () => {
    await using server = await startServer(answerJson(enabled));
    await using under = cloudAt(server.url);
    expect(await under.cloud.balance.check(ticket, asking)).toMatchObject({ isSufficient: true });
    server.reply = dropped;
    expect((await problemOf(under.cloud.balance.check(ticket, asking))).code).toBe('balance-unknown');
    server.reply = answerJson({ balanceEnabled: false });
    expect(await under.cloud.balance.check(ticket, asking)).toBe('not-charged');
    server.reply = dropped;
    expect(await under.cloud.balance.check(ofAnotherSession(), asking)).toBe('unknown-allowed');
    expect(under.logged.filter((line) => line.includes('balance not checked'))).toHaveLength(2);
  });

  it.each<[string, string, Reply]>([
    ['prints are not charged', 'not-charged', answerJson({ balanceEnabled: false })],
    ['there is no balance', 'unknown-allowed', answerStatus(405)],
  ])('finds once in 10 s, for all documents of a session, that %s', async (_, clearance, reply) => {
    let later = 0;
    const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + later };
    await using server = await startServer(reply);
    await using under = cloudAt(server.url, { clock });
    const { balance } = under.cloud;
    const documents = Array.from({ length: 20 }, () => balance.check(ticket, asking));
    expect(new Set(await Promise.all(documents))).toEqual(new Set([clearance]));
    expect(await balance.quote(ticket, asking)).toBeUndefined();
    expect(server.asked).toHaveLength(1);
    await balance.check(ofAnotherSession(), asking);
    expect(server.asked).toHaveLength(2);
    later = 10_001;
    server.reply = answerJson({ ...enabled, sufficientBalance: false });
    expect((await problemOf(balance.check(ticket, asking))).code).toBe('balance-insufficient');
  });

  it.each<[string, Reply, boolean]>([
    ['prints are charged', answerJson(enabled), false],
    ['a service that charged says it has none', answerStatus(405), true],
    ['the service fails', answerStatus(503), false],
    ['the service leaves it to itself', answerStatus(403), false],
  ])('is asked for each document where %s (I9)', async (_, reply, wasCharging) => {
    const charging = { wasSeen: () => wasCharging, note: () => {} };
    await using server = await startServer(reply);
    await using under = cloudAt(server.url, { charging });
    for (let document = 0; document < 3; document += 1) await under.cloud.balance.check(ticket, asking);
    expect(server.asked).toHaveLength(3);
  });

  it('is asked once, and leaves with the caller', async () => {
    await using server = await startServer(answerStatus(503));
    await using under = cloudAt(server.url, { balanceOnError: 'deny' });
    expect(await problemOf(under.cloud.balance.check(ticket, asking))).toMatchObject({
      cause: { status: 503 },
    });
    expect(server.asked).toHaveLength(1);
    const gone = { signal: AbortSignal.abort(new Error('the release was cancelled')) };
    await expect(under.cloud.balance.check(ticket, gone)).rejects.toThrow('the release was cancelled');
  });

  it('is made for one document of a user at a time, and for several users at once (B.4, 4)', async () => {
    const open: { answer: () => void; userName: string }[] = [];
    await using server = await startServer((response, asked, count) => {
      const { userName } = JSON.parse(asked.body) as { userName: string };
      open.push({ answer: () => answerJson(enabled)(response, asked, count), userName });
    });
    await using under = cloudAt(server.url);
    const { balance } = under.cloud;
    const bob = { ...ann, id: 13, userName: 'bob' };
    const checks = [
      balance.check(ticket, asking),
      balance.quote(ticket, asking),
      balance.check({ ...ticket, user: bob }, asking),
    ];
    await expect.poll(() => open.map(({ userName }) => userName).sort()).toEqual(['ann', 'bob']);
    for (const { answer } of open.splice(0)) answer();
    await expect.poll(() => open.map(({ userName }) => userName)).toEqual(['ann']);
    open[0]?.answer();
    expect(await Promise.all(checks)).toMatchObject([{}, { isSufficient: true }, {}]);
  });

  it('of a user goes on after one that was given up (B.4, 4)', async () => {
    await using server = await startServer(() => {});
    await using under = cloudAt(server.url);
    const leaving = new AbortController();
    const given = under.cloud.balance.quote(ticket, { signal: leaving.signal });
    await expect.poll(() => server.asked.length).toBe(1);
    const next = under.cloud.balance.check(ticket, asking);
    server.reply = answerJson(enabled);
    leaving.abort(new Error('the person left'));
    await expect(given).rejects.toThrow('the person left');
    expect(await next).toMatchObject({ isSufficient: true });
  });
});

describe('a quote', () => {
  it('is exact (B.4, 4)', async () => {
    await using server = await startServer(yesWith('0.30000000000000004', '0.1'));
    await using under = cloudAt(server.url);
    const quote = await under.cloud.balance.quote(ticket, asking);
    expect(quote && [printAmount(quote.balance), printAmount(quote.cost), quote.isSufficient]).toEqual([
      '0.30000000000000004',
      '0.10',
      true,
    ]);
  });

  it.each<[string, Reply]>([
    ['prints are not charged', answerJson({ balanceEnabled: false })],
    ['the numbers are missing', answerJson({ balanceEnabled: true, sufficientBalance: true })],
    ['the service answers 403', answerStatus(403)],
    ['the service answers 405', answerStatus(405)],
    ['the service answers 503', answerStatus(503)],
    ['the answer is lost', dropped],
  ])('is not there where %s', async (_, reply) => {
    await using server = await startServer(reply);
    await using under = cloudAt(server.url);
    expect(await under.cloud.balance.quote(ticket, asking)).toBeUndefined();
  });
});

describe('the own balance', () => {
  const login = { user: { ...ann, userName: 'ann & bob' }, token: userToken };

  it('is asked for by name and provider, with the token of the user', async () => {
    const info = { quotaBalance: 1.1, walletBalance: '2.2', totalBalance: 3.3, lastUpdated: null };
    await using server = await startServer(answerJson(info));
    await using under = cloudAt(server.url);
    const own = await under.cloud.balance.own(login, asking);
    expect(own && [own.quota, own.wallet, own.total].map(printAmount)).toEqual(['1.10', '2.20', '3.30']);
    expect(server.asked).toMatchObject([
      {
        method: 'GET',
        url: '/api/v1/balance?username=ann%20%26%20bob&providerid=4',
        headers: { authorization: 'Bearer canary-user-token' },
      },
    ]);
  });

  it.each([403, 404, 405])('is not there where the service answers %i', async (status) => {
    await using server = await startServer(answerStatus(status));
    await using under = cloudAt(server.url);
    expect(await under.cloud.balance.own(login, asking)).toBeUndefined();
  });

  it('of no decimals is no balance', async () => {
    await using server = await startServer(
      answerJson({ quotaBalance: 'NaN', walletBalance: 0, totalBalance: 0 }),
    );
    await using under = cloudAt(server.url);
    expect((await problemOf(under.cloud.balance.own(login, asking))).code).toBe('cloud-protocol');
  });
});
