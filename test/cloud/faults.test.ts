/**
 * The standard fault set of INVARIANTS.md B.4 against calls of each kind: one that may be repeated (the list), one
 * that may not (history), and the one that spends a token (refresh). What is expected follows from B.3.
 */
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/core/secret.ts';
import type { Cloud } from '../../src/cloud/client.ts';
import type { HistoryRecord } from '../../src/domain/history.ts';
import type { Delivery } from '../../src/domain/problem/problem.ts';
import type { ProblemCode } from '../../src/domain/problem/problem-kinds.ts';
import { asking, cloudAt, problemOf, userToken } from '../support/cloud/cloud-under-test.ts';
import { forwardClock } from '../support/forward-clock.ts';
import type { Reply } from '../support/cloud/scripted-server.ts';
import { answerJson, answerStatus, listenOnLoopback, startServer } from '../support/cloud/scripted-server.ts';

const record: HistoryRecord = {
  jobType: 'PRINT',
  userName: 'ann',
  providerId: 4,
  title: 'Report.pdf',
  serialNumber: 'SN-1',
  dateTime: '2026-11-21T13:00:00+01:00',
};
const device = { clientId: 'c-1', seed: new Secret(Buffer.alloc(32, 7).toString('base64')) };

const calls: Readonly<Record<'list' | 'history' | 'refresh', (cloud: Cloud) => Promise<unknown>>> = {
  list: ({ documents }) => documents.ready(userToken, asking),
  history: ({ history }) => history.post(record, asking),
  refresh: ({ authorization }) => authorization.refresh(device, new Secret('r-1'), asking),
};

interface Expected {
  readonly code: ProblemCode;
  readonly delivery: Delivery;
  /** How often the server is asked for the list; the others ask once whatever happens. */
  readonly tries: 1 | 3;
}
const definite = (code: ProblemCode): Expected => ({ code, delivery: 'answered', tries: 1 });
const unsettled = (code: ProblemCode): Expected => ({ code, delivery: 'perhaps', tries: 3 });

const raw =
  (text: string): Reply =>
  ({ socket }) => {
    socket?.end(text);
  };
const head = (length: number) =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

const faults: Readonly<Record<string, readonly [Reply, Expected]>> = {
  'a redirect': [answerStatus(302, { location: 'http://127.0.0.1:1/' }), definite('cloud-protocol')],
  'status 400': [answerStatus(400), definite('cloud-rejected')],
  'status 403': [answerStatus(403), definite('cloud-denied')],
  'status 404': [answerStatus(404), definite('cloud-not-found')],
  'status 405': [answerStatus(405), definite('cloud-feature-off')],
  'status 408': [answerStatus(408), unsettled('cloud-busy')],
  'status 425': [answerStatus(425), unsettled('cloud-busy')],
  'status 429': [answerStatus(429), unsettled('cloud-busy')],
  'status 500': [answerStatus(500), unsettled('cloud-busy')],
  'status 502 with a cut page': [
    raw('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 99\r\n\r\n<html>'),
    unsettled('cloud-busy'),
  ],
  'status 503': [answerStatus(503), unsettled('cloud-busy')],
  'status 504': [answerStatus(504), unsettled('cloud-busy')],
  'malformed JSON': [raw(`${head(10)}{"items":[`), unsettled('cloud-protocol')],
  'unasked XML': [raw(`${head(8)}<items/>`), unsettled('cloud-protocol')],
  '10 MB': [answerJson({ items: 'x'.repeat(10_000_000) }), unsettled('cloud-protocol')],
  'a short Content-Length body': [raw(`${head(100)}{}`), unsettled('cloud-protocol')],
  'a cut chunk': [
    raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a'),
    unsettled('cloud-protocol'),
  ],
  'a body without length': [
    raw('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n[]'),
    unsettled('cloud-protocol'),
  ],
  'unexpected gzip': [
    (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('[]')),
    unsettled('cloud-protocol'),
  ],
  'no HTTP': [raw('220 mail.example ESMTP\r\n'), unsettled('cloud-protocol')],
  'a reset before any answer': [({ socket }) => socket?.resetAndDestroy(), unsettled('cloud-unreachable')],
  'a close before any answer': [({ socket }) => socket?.end(), unsettled('cloud-unreachable')],
};

const cells = Object.entries(faults).flatMap(([fault, [reply, expected]]) =>
  (['list', 'history', 'refresh'] as const).map((call) => ({ fault, call, reply, expected })),
);

describe('the standard faults', () => {
  it.each(cells)('$fault: $call (B.3)', async ({ call, reply, expected: { code, delivery, tries } }) => {
    await using server = await startServer(reply);
    await using under = cloudAt(server.url);
    expect(await problemOf(calls[call](under.cloud))).toMatchObject({ code, delivery });
    expect(server.asked).toHaveLength(call === 'list' ? tries : 1);
  });

  it.each(['list', 'refresh'] as const)('a wrong schema, or nothing: no answer to the %s', async (call) => {
    await using server = await startServer(answerJson({ unheard: 'of' }));
    await using under = cloudAt(server.url);
    expect((await problemOf(calls[call](under.cloud))).code).toBe('cloud-protocol');
    server.reply = answerStatus(200);
    expect((await problemOf(calls[call](under.cloud))).code).toBe('cloud-protocol');
  });

  it('401 ends the session of a user, and renews the token of the device once', async () => {
    await using server = await startServer(answerStatus(401));
    await using under = cloudAt(server.url);
    expect((await problemOf(calls.list(under.cloud))).code).toBe('user-token-refused');
    expect(server.asked).toHaveLength(1);
    expect((await problemOf(calls.history(under.cloud))).code).toBe('device-token-refused');
    expect(under.tokens.refusals).toEqual(['canary-device-token-1']);
    expect(server.asked.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer canary-user-token',
      'Bearer canary-device-token-1',
      'Bearer canary-device-token-2',
    ]);
  });

  it('nobody listening: nothing was sent', async () => {
    await using under = cloudAt('http://127.0.0.1:1');
    for (const call of Object.values(calls)) {
      expect(await problemOf(call(under.cloud))).toMatchObject({
        code: 'cloud-unreachable',
        delivery: 'not-sent',
      });
    }
  });

  it('a redirect leads nowhere: its target hears nothing (T25)', async () => {
    await using canary = await startServer(answerJson([]));
    await using server = await startServer(answerStatus(307, { location: `${canary.url}/api/v1/documents` }));
    await using under = cloudAt(server.url);
    for (const call of Object.values(calls)) await problemOf(call(under.cloud));
    expect(canary.asked).toEqual([]);
  });

  it('bytes behind the announced length are not read as part of an answer, nor as the next one', async () => {
    await using server = await startServer(raw(`${head(2)}[]HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}`));
    await using under = cloudAt(server.url);
    expect(await calls.list(under.cloud)).toMatchObject({ documents: [] });
    expect(await calls.list(under.cloud)).toMatchObject({ documents: [] });
  });
});

describe('slowness', () => {
  it.each([
    ['no answer at all', () => undefined, 'cloud-unreachable'],
    ['a body that stops', stall, 'cloud-busy'],
  ] as const)('%s ends by the deadline (D5)', async (_, reply, code) => {
    await using server = await startServer(reply);
    const clock = forwardClock();
    await using under = cloudAt(server.url, { clock });
    const inHistory = clock.hurry(problemOf(calls.history(under.cloud)));
    expect(await inHistory).toMatchObject({ code, delivery: 'perhaps' });
    expect((await clock.hurry(problemOf(calls.list(under.cloud)))).code).toBe(code);
  });

  it('a handshake that never ends is no connection: nothing was sent, and an abort ends it at once', async () => {
    const silent = createServer(() => undefined);
    const port = await listenOnLoopback(silent);
    const clock = forwardClock();
    await using under = cloudAt(`https://127.0.0.1:${port}`, { clock });
    expect(await clock.hurry(problemOf(calls.refresh(under.cloud)))).toMatchObject({
      code: 'cloud-unreachable',
      delivery: 'not-sent',
    });

    const leaving = new AbortController();
    const listing = under.cloud.documents.ready(userToken, leaving);
    leaving.abort(new Error('the session ended'));
    await expect(listing).rejects.toThrow('the session ended');
    silent.close();
  });
});

function stall({ socket }: Parameters<Reply>[0]): void {
  socket?.write(`${head(100)}[`);
}

it('a call aborted by its caller ends with the caller’s own reason, and is not held against the service', async () => {
  await using server = await startServer(() => undefined);
  await using under = cloudAt(server.url);
  const leaving = new AbortController();
  const listing = under.cloud.documents.ready(userToken, leaving);
  await expect.poll(() => server.asked.length).toBe(1);
  leaving.abort(new Error('the session ended'));
  await expect(listing).rejects.toThrow('the session ended');
  expect(under.reached).toEqual([]);
});

it('a download that does not begin tells of the service like any other call, and one that begins does (I7)', async () => {
  await using server = await startServer(answerStatus(502));
  await using under = cloudAt(server.url);
  const { documents } = under.cloud;
  await problemOf(documents.download('one', userToken, asking));
  expect(under.reached.at(-1)).toMatchObject({ code: 'cloud-busy' });
  // The computer that stores this one document is off.
  server.reply = answerStatus(503);
  await problemOf(documents.download('one', userToken, asking));
  expect(under.reached.at(-1)).toBe('up');
  server.reply = (response) => response.writeHead(200, { 'content-length': 4 }).end('%PDF');
  await documents.download('one', userToken, asking);
  expect(under.reached.at(-1)).toBe('up');
  await server[Symbol.asyncDispose]();
  await problemOf(documents.download('one', userToken, asking));
  expect(under.reached.at(-1)).toMatchObject({ code: 'cloud-unreachable' });
});
