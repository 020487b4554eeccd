/** The port Documents over the wire: spec, Documents; INVARIANTS.md B.4, 3 List and 5 Download. */
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { minutes, seconds } from '../../src/core/duration.ts';
import { CardNumber } from '../../src/domain/card/card-number.ts';
import { forwardClock } from '../support/forward-clock.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { asking, cloudAt, problemOf, userToken } from '../support/cloud/cloud-under-test.ts';
import type { Reply } from '../support/cloud/scripted-server.ts';
import { answerJson, answerStatus, startServer } from '../support/cloud/scripted-server.ts';

const entry = (uuid: string, userName = 'ann') => ({
  uuid,
  userName,
  documentName: `canary ${uuid}`,
  status: 0,
});
const pdf = Buffer.from('%PDF-1.7 …');

const cut =
  (head: string): Reply =>
  ({ socket }) => {
    socket?.end(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n5\r\n%PDF-`);
  };

describe('whether a document is READY still (I1)', () => {
  /** A service whose list is what the test says; of other statuses it tells the same. */
  async function listing(...uuids: readonly string[]) {
    let listed: readonly string[] = uuids;
    const server = await startServer((response, asked, count) =>
      answerJson(listed.map((uuid) => entry(uuid)))(response, asked, count),
    );
    const clock = createSteeredClock();
    const under = cloudAt(server.url, { clock: { ...systemClock, monotonic: () => clock.monotonic() } });
    const { documents } = under.cloud;
    return {
      server,
      clock,
      list(...now: readonly string[]) {
        listed = now;
      },
      look: () => documents.ready(userToken, asking),
      require: (uuid: string) => documents.requireReady(uuid, userToken, asking),
      async [Symbol.asyncDispose]() {
        await under[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  }

  it('is known by a look at the list that is no older than 2 s', async () => {
    await using place = await listing('a', 'b');
    await place.look();
    place.list('b');
    await place.clock.advance(seconds(2));
    await place.require('a');
    expect(place.server.asked).toHaveLength(1);
  });

  it('is asked for where the last look is older, once for all documents of the next 2 s', async () => {
    await using place = await listing('a', 'b');
    await place.look();
    place.list('b');
    await place.clock.advance(seconds(2.001));
    expect((await problemOf(place.require('a'))).code).toBe('document-not-waiting');
    await place.require('b');
    expect(place.server.asked.map(({ url }) => url)).toEqual([
      '/api/v1/documents?status=0&maxRecords=500',
      '/api/v1/documents?status=0&maxRecords=500',
    ]);
  });

  it('is asked for where nobody looked yet', async () => {
    await using place = await listing('a');
    await place.require('a');
    expect(place.server.asked).toHaveLength(1);
  });

  it('is not told by a list that is full: nobody knows, and nobody says no', async () => {
    await using place = await listing(...Array.from({ length: 500 }, (_, index) => `document-${index}`));
    expect((await problemOf(place.require('a'))).code).toBe('cloud-protocol');
    await place.require('document-7');
  });
});

describe('the list', () => {
  it.each([
    ['bare', [entry('a')]],
    ['in items', { items: [entry('a')], recordsOnPage: 1 }],
    ['in documents', { documents: [entry('a')], nextPageToken: '' }],
  ])('is read %s, with the token of the user', async (_, body) => {
    await using server = await startServer(answerJson(body));
    await using under = cloudAt(server.url);
    expect(await under.cloud.documents.ready(userToken, asking)).toMatchObject({
      documents: [{ uuid: 'a', copies: 1 }],
      mayBeMore: false,
    });
    expect(server.asked).toMatchObject([
      {
        method: 'GET',
        url: '/api/v1/documents?status=0&maxRecords=500',
        headers: { authorization: 'Bearer canary-user-token', 'x-api-key': 'canary-api-key' },
      },
    ]);
  });

  it('hides what belongs to another than who logged in, and says so without names (I3, I5)', async () => {
    const token = { access_token: 'u-1', expires_in: 60 };
    await using server = await startServer((response, asked, count) => {
      const login = { id: 1, providerId: 1, userName: 'ann', token };
      answerJson(asked.url.endsWith('login') ? login : [entry('a'), entry('b', 'bob')])(
        response,
        asked,
        count,
      );
    });
    await using under = cloudAt(server.url);
    const login = await under.cloud.logins.login({ kind: 'card', card: new CardNumber('1') }, asking);
    const { documents, underOtherName } = await under.cloud.documents.ready(login.token, asking);
    expect(documents.map(({ uuid }) => uuid)).toEqual(['a']);
    expect(underOtherName).toBe(1);
    const warning = under.logged.find((line) => line.includes('documents of another user hidden'));
    expect(JSON.parse(warning ?? '{}')).toMatchObject({ level: 'warn', count: 1 });
    expect(under.logged.join('')).not.toMatch(/canary|bob/);
  });

  it('of ten thousand documents is taken up to its limit (T23)', async () => {
    const many = Array.from({ length: 10_000 }, (_, i) => entry(`document-${i}`));
    await using server = await startServer(answerJson(many));
    await using under = cloudAt(server.url);
    const { documents, mayBeMore } = await under.cloud.documents.ready(userToken, asking);
    expect([documents.length, mayBeMore]).toEqual([500, true]);
  });

  it.each([
    ['as many as were asked for', Array.from({ length: 500 }, (_, i) => entry(`d-${i}`)), true],
    ['fewer', Array.from({ length: 499 }, (_, i) => entry(`d-${i}`)), false],
    ['a token of a next page', { items: [entry('a')], nextPageToken: 'x' }, true],
  ])('of %s may go on in the portal or not (B.4, 3)', async (_, body, mayBeMore) => {
    await using server = await startServer(answerJson(body));
    await using under = cloudAt(server.url);
    expect((await under.cloud.documents.ready(userToken, asking)).mayBeMore).toBe(mayBeMore);
  });
});

describe('a download', () => {
  it('leaves the document in the cloud, and gives its bytes (D6)', async () => {
    await using server = await startServer((response) => response.end(pdf));
    await using under = cloudAt(server.url);
    const { length, bytes } = await under.cloud.documents.download('a.b-c_1', userToken, asking);
    expect(length).toBe(pdf.length);
    expect(await buffer(bytes)).toEqual(pdf);
    expect(server.asked).toMatchObject([
      {
        method: 'GET',
        url: '/api/v1/documents/a.b-c_1.content?retain=true',
        headers: { accept: '*/*', 'accept-encoding': 'identity', authorization: 'Bearer canary-user-token' },
      },
    ]);
  });

  it('in chunks has no known length, and is whole when it ends', async () => {
    await using server = await startServer((response) => {
      response.write(pdf);
      response.end(pdf);
    });
    await using under = cloudAt(server.url);
    const { length, bytes } = await under.cloud.documents.download('a', userToken, asking);
    expect(length).toBeUndefined();
    expect(await buffer(bytes)).toEqual(Buffer.concat([pdf, pdf]));
  });

  it.each([
    ['by its length', cut('content-length: 1000')],
    ['in a chunk', cut('transfer-encoding: chunked')],
  ])('cut short %s fails, and is never taken for whole', async (_, reply) => {
    await using server = await startServer(reply);
    await using under = cloudAt(server.url);
    const { bytes } = await under.cloud.documents.download('a', userToken, asking);
    expect(await problemOf(buffer(bytes))).toMatchObject({ code: 'document-cut', delivery: 'perhaps' });
  });

  it.each([
    ['404', answerStatus(404), 'document-gone'],
    ['503, when the computer that stores it is off', answerStatus(503), 'cloud-busy'],
    ['401', answerStatus(401), 'user-token-refused'],
    ['403', answerStatus(403), 'cloud-denied'],
    ['a body without length', cut('connection: close'), 'cloud-protocol'],
    ['a page', answerJson({ errorCode: 1001 }), 'cloud-protocol'],
    ['HTML', answerStatus(200, { 'content-type': 'text/html; charset=utf-8' }), 'cloud-protocol'],
    ['gzip', answerStatus(200, { 'content-encoding': 'gzip' }), 'cloud-protocol'],
  ] as const)(
    'answered by %s is refused before a byte is taken, and not repeated',
    async (_, reply, code) => {
      await using server = await startServer(reply);
      await using under = cloudAt(server.url);
      expect((await problemOf(under.cloud.documents.download('a', userToken, asking))).code).toBe(code);
      expect(server.asked).toHaveLength(1);
    },
  );

  it('that trickles is ended, however long it would go on (B.3)', async () => {
    await using server = await startServer((response) => {
      const drip = setInterval(() => response.write('x'), 5);
      response.once('close', () => clearInterval(drip));
    });
    const clock = forwardClock();
    await using under = cloudAt(server.url, { clock });
    const { bytes } = await under.cloud.documents.download('a', userToken, asking);
    expect((await clock.hurry(problemOf(buffer(bytes)))).code).toBe('cloud-busy');
  });

  it('waits for a slow reader, and no deadline ends what moves on', async () => {
    const large = Buffer.alloc(8 * 1024 * 1024, 'x');
    await using server = await startServer((response) => response.end(large));
    const clock = forwardClock();
    await using under = cloudAt(server.url, { clock });
    const { bytes } = await under.cloud.documents.download('a', userToken, asking);
    await expect.poll(() => bytes.readableLength).toBeGreaterThan(0);
    clock.forward(minutes(2));
    expect(await buffer(bytes)).toHaveLength(large.length);
  });

  it('ends at once when the session does', async () => {
    await using server = await startServer((response) => {
      response.write(pdf);
    });
    await using under = cloudAt(server.url);
    const session = new AbortController();
    const { bytes } = await under.cloud.documents.download('a', userToken, session);
    const read = buffer(bytes);
    session.abort(new Error('the session ended'));
    await expect(read).rejects.toThrow('the session ended');
  });
});

describe('a deletion', () => {
  it('is asked for once, with the token of the user', async () => {
    await using server = await startServer(answerJson({ errorCode: 0 }));
    await using under = cloudAt(server.url);
    await under.cloud.documents.remove('a', userToken, asking);
    expect(server.asked).toMatchObject([
      {
        method: 'DELETE',
        url: '/api/v1/documents/a',
        headers: { authorization: 'Bearer canary-user-token' },
      },
    ]);
  });

  it.each([
    ['404: it is gone already', answerStatus(404)],
    ['204', answerStatus(204)],
  ])('is done with %s', async (_, reply) => {
    await using server = await startServer(reply);
    await using under = cloudAt(server.url);
    await expect(under.cloud.documents.remove('a', userToken, asking)).resolves.toBeUndefined();
  });

  /** A service that refuses the deletion, and lists these documents. */
  const refusing = (...listed: readonly string[]) =>
    startServer((response, asked, count) => {
      const list = answerJson(listed.map((uuid) => entry(uuid)));
      (asked.method === 'DELETE' ? answerStatus(403) : list)(response, asked, count);
    });

  it.each([[[]], [['b']]])(
    'that is refused with 403 is done if the list is %j, without it',
    async (listed) => {
      await using server = await refusing(...listed);
      await using under = cloudAt(server.url);
      await expect(under.cloud.documents.remove('a', userToken, asking)).resolves.toBeUndefined();
    },
  );

  it('that is refused with 403 is not done if the list has it still', async () => {
    await using server = await refusing('b', 'a');
    await using under = cloudAt(server.url);
    const { code } = await problemOf(under.cloud.documents.remove('a', userToken, asking));
    expect(code).toBe('cloud-denied');
  });

  it.each([
    ['error 1002', answerJson({ errorCode: 1002 }), 'cloud-rejected'],
    ['something else', answerJson({ deleted: true }), 'cloud-protocol'],
    ['nothing', answerStatus(200), 'cloud-protocol'],
    ['403', answerStatus(403), 'cloud-denied'],
  ] as const)('is not done with %s', async (_, reply, code) => {
    await using server = await startServer(reply);
    await using under = cloudAt(server.url);
    expect((await problemOf(under.cloud.documents.remove('a', userToken, asking))).code).toBe(code);
  });
});
