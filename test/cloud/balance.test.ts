/** The port Balance over the wire: api-supplement.md 12, row 35; reliability.md B.4, 4 Balance. */
import { describe, expect, it } from 'vitest';
import type { Document } from '../../src/domain/document.ts';
import type { Ticket } from '../../src/domain/release.ts';
import { asking, cloudAt, problemOf, userToken } from './cloud-under-test.ts';
import type { Reply } from './scripted-server.ts';
import { answerJson, answerStatus, startServer } from './scripted-server.ts';

const document: Document = {
  uuid: 'a-1',
  name: 'Report.pdf',
  totalPages: 3,
  colorPages: undefined,
  copies: 2,
  grayscale: false,
  sides: undefined,
  paperSize: 'A4',
  collate: undefined,
  storageOnline: true,
};
const ticket: Ticket = {
  releaseId: '7f3a9c21'.repeat(4),
  terminal: 'lobby',
  sessionId: 's-1',
  document,
  user: { id: 12, providerId: 4, userName: 'ann', fullName: 'Ann' },
  token: userToken,
  monochrome: false,
  sendUsername: false,
};
const enabled = { balanceEnabled: true, sufficientBalance: true, currentBalance: 5, calculatedCost: 0.3 };
const dropped: Reply = ({ socket }) => socket?.resetAndDestroy();

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

  const allowed = 'lets it print';
  it.each<[string, Reply, string, string]>([
    ['enough', answerJson(enabled), allowed, allowed],
    ['just enough', answerJson({ ...enabled, currentBalance: 0.3 }), allowed, allowed],
    ['no balance in use', answerJson({ balanceEnabled: false }), allowed, allowed],
    [
      'not enough',
      answerJson({ ...enabled, sufficientBalance: false }),
      'balance-insufficient',
      'balance-insufficient',
    ],
    [
      'a yes that its own numbers belie',
      answerJson({ ...enabled, currentBalance: 0.2 }),
      'balance-insufficient',
      'balance-insufficient',
    ],
    [
      'a yes without numbers',
      answerJson({ balanceEnabled: true, sufficientBalance: true }),
      'balance-unknown',
      'balance-unknown',
    ],
    [
      'a number that is none',
      answerJson({ ...enabled, calculatedCost: '0.30' }),
      'balance-unknown',
      'balance-unknown',
    ],
    ['403', answerStatus(403), allowed, allowed],
    ['404', answerStatus(404), allowed, allowed],
    ['405', answerStatus(405), allowed, allowed],
    ['501', answerStatus(501), allowed, allowed],
    ['401', answerStatus(401), 'user-token-refused', 'user-token-refused'],
    ['400', answerStatus(400), allowed, 'balance-unknown'],
    ['503', answerStatus(503), allowed, 'balance-unknown'],
    ['a lost answer', dropped, allowed, 'balance-unknown'],
    ['no JSON', answerStatus(200), allowed, 'balance-unknown'],
  ])(
    '%s: %s where nobody was charged yet, %s where somebody was (row 35, I9)',
    async (_, reply, before, after) => {
      await using server = await startServer(reply);
      await using under = cloudAt(server.url);
      const check = () =>
        under.cloud.balance.check(ticket, asking).then(
          () => allowed,
          (error: { code: string }) => error.code,
        );
      expect(await check()).toBe(before);
      server.reply = answerJson(enabled);
      expect(await check()).toBe(allowed);
      server.reply = reply;
      expect(await check()).toBe(after);
    },
  );

  it('forgets the charging when the service says that it has ended', async () => {
    await using server = await startServer(answerJson(enabled));
    await using under = cloudAt(server.url);
    await under.cloud.balance.check(ticket, asking);
    server.reply = answerJson({ balanceEnabled: false });
    await under.cloud.balance.check(ticket, asking);
    server.reply = dropped;
    await expect(under.cloud.balance.check(ticket, asking)).resolves.toBeUndefined();
  });

  it('is asked once, and leaves with the caller', async () => {
    await using server = await startServer(answerJson(enabled));
    await using under = cloudAt(server.url);
    await under.cloud.balance.check(ticket, asking);
    server.reply = answerStatus(503);
    expect(await problemOf(under.cloud.balance.check(ticket, asking))).toMatchObject({
      cause: { status: 503 },
    });
    expect(server.asked).toHaveLength(2);
    const gone = { signal: AbortSignal.abort(new Error('the release was cancelled')) };
    await expect(under.cloud.balance.check(ticket, gone)).rejects.toThrow('the release was cancelled');
  });
});
