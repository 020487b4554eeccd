/** The port Documents where the service prints or counts a document itself (spec, Documents; src/cloud/README.md 12, rows 17 to 19). */
import { describe, expect, it } from 'vitest';
import { asking, cloudAt, problemOf, userToken } from '../support/cloud/cloud-under-test.ts';
import { seconds } from '../../src/core/duration.ts';
import { forwardClock } from '../support/forward-clock.ts';
import type { Reply } from '../support/cloud/scripted-server.ts';
import { answerJson, answerStatus, startServer } from '../support/cloud/scripted-server.ts';

const here = { port: 'SN-0001', retain: false };
const accepted = answerJson({ errorCode: 0 });

describe('a delivery', () => {
  it.each([
    ['a form that says nothing', false, undefined, ''],
    ['retain, when the document is to be kept', true, {}, 'retain=true'],
    ['its copies', false, { copies: 2 }, 'copies=2'],
    [
      'all that its owner has changed',
      true,
      { copies: 1, grey: true, twoSided: true } as const,
      'retain=true&copies=1&grayscale=true&duplex=1',
    ],
  ])('is asked for once, with the token of the user and %s', async (_, retain, changed, body) => {
    await using server = await startServer(accepted);
    await using under = cloudAt(server.url);
    await under.cloud.documents.deliver('a.b', { port: 'SN 1/2', retain, changed }, userToken, asking);
    expect(server.asked).toMatchObject([
      {
        method: 'POST',
        url: '/api/v1/documents/a.b/SN%201%2F2',
        headers: {
          authorization: 'Bearer canary-user-token',
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': String(body.length),
        },
        body,
      },
    ]);
  });

  it.each([
    ['error 1042 with 200', answerJson({ errorCode: 1042 }), 'printer-not-ready'],
    ['error 1042 with 400', answerJson({ errorCode: 1042 }, 400), 'printer-not-ready'],
    ['error 1001', answerJson({ errorCode: 1001 }), 'cloud-rejected'],
    ['error 1051', answerJson({ errorCode: 1051 }), 'cloud-denied'],
    ['400', answerStatus(400), 'cloud-rejected'],
    ['401', answerStatus(401), 'user-token-refused'],
    ['403', answerStatus(403), 'cloud-denied'],
    ['404', answerStatus(404), 'cloud-not-found'],
    ['429', answerStatus(429), 'cloud-busy'],
  ] as const)('refused by %s is definitely not made, and not asked for again', async (_, reply, code) => {
    await using server = await startServer(reply);
    await using under = cloudAt(server.url);
    const problem = await problemOf(under.cloud.documents.deliver('a', here, userToken, asking));
    expect(problem).toMatchObject({ code, delivery: 'answered' });
    expect(server.asked).toHaveLength(1);
  });

  it('says in the service’s words that its output is not ready', async () => {
    await using server = await startServer(answerJson({ errorCode: 1042 }));
    await using under = cloudAt(server.url);
    const problem = await problemOf(under.cloud.documents.deliver('a', here, userToken, asking));
    expect(problem.reasons).toEqual(['output-not-ready']);
  });

  it.each([
    ['an unknown error', answerJson({ errorCode: 10_000 })],
    ['500', answerStatus(500)],
    ['503 with Retry-After', answerStatus(503, { 'retry-after': '1' })],
    ['504', answerStatus(504)],
    ['a page', answerStatus(200, { 'content-type': 'text/html' })],
    ['something else', answerJson({ printed: true })],
  ])('answered by %s may have been made, and is not asked for again (I1)', async (_, reply) => {
    await using server = await startServer(reply);
    await using under = cloudAt(server.url);
    const problem = await problemOf(under.cloud.documents.deliver('a', here, userToken, asking));
    expect(problem.delivery).toBe('perhaps');
    expect(server.asked).toHaveLength(1);
  });

  it('that is never answered is waited for two minutes, and may have been made', async () => {
    await using server = await startServer(() => {});
    const clock = forwardClock();
    await using under = cloudAt(server.url, { clock });
    const problem = problemOf(under.cloud.documents.deliver('a', here, userToken, asking));
    expect(await clock.spanOf(problem)).toBeGreaterThan(seconds(119));
    expect(await problem).toMatchObject({ code: 'cloud-unreachable', delivery: 'perhaps' });
  });

  it('to a service that is not there was certainly not made', async () => {
    await using under = cloudAt('http://127.0.0.1:1');
    const problem = await problemOf(under.cloud.documents.deliver('a', here, userToken, asking));
    expect(problem).toMatchObject({ code: 'cloud-unreachable', delivery: 'not-sent' });
  });
});

describe('what became of a document', () => {
  const entry = (uuid: string, status: number) => ({ uuid, status });

  it.each([
    [0, 'ready'],
    [1, 'printed'],
    [3, 'expired'],
    [4, 'failed'],
    [7, 'converting'],
    [8, 'conversion-failed'],
    [9, 'stored'],
  ])('is read from one list over the statuses: %i is %s', async (number, status) => {
    await using server = await startServer(answerJson([entry('b', 0), entry('a', number), null]));
    await using under = cloudAt(server.url);
    expect(await under.cloud.documents.statusOf('a', userToken, asking)).toBe(status);
    const [url, query] = (server.asked[0]?.url ?? '').split('?');
    expect(url).toBe('/api/v1/documents');
    expect(new URLSearchParams(query).getAll('status')).toEqual(['0,1,3,4,5,6,7,8,9']);
    expect(new URLSearchParams(query).get('maxRecords')).toBe('500');
  });

  it('is asked for once more, with one status each, where one value for all meets 400; and so from then on (row 46)', async () => {
    const oneEach: Reply = (response, asked, count) =>
      (asked.url.includes('%2C') ? answerStatus(400) : answerJson([entry('a', 1)]))(response, asked, count);
    await using server = await startServer(oneEach);
    await using under = cloudAt(server.url);
    const { statusOf } = under.cloud.documents;
    expect(await statusOf('a', userToken, asking)).toBe('printed');
    expect(await statusOf('a', userToken, asking)).toBe('printed');
    const asked = server.asked.map(({ url }) => new URLSearchParams(url.split('?')[1]).getAll('status'));
    const each = ['0', '1', '3', '4', '5', '6', '7', '8', '9'];
    expect(asked).toEqual([[each.join(',')], each, each]);
  });

  it.each([
    ['400 both ways', 400, 2],
    ['another refusal', 403, 1],
  ])(
    'is not told by a service that answers %s, and the letter of the specification is tried again',
    async (_, status, calls) => {
      await using server = await startServer(answerStatus(status));
      await using under = cloudAt(server.url);
      const { statusOf } = under.cloud.documents;
      expect((await problemOf(statusOf('a', userToken, asking))).status).toBe(status);
      expect(server.asked).toHaveLength(calls);
      await problemOf(statusOf('a', userToken, asking));
      expect(server.asked[calls]?.url).toContain('%2C');
    },
  );

  it('is not told by a list without it', async () => {
    await using server = await startServer(answerJson({ documents: [entry('b', 0)] }));
    await using under = cloudAt(server.url);
    expect(await under.cloud.documents.statusOf('a', userToken, asking)).toBeUndefined();
  });

  it.each([
    ['a full list without it, where it may be on no page', Array.from({ length: 500 }, () => entry('b', 0))],
    ['a page without it that another one follows', { documents: [entry('b', 0)], nextPageToken: 'next' }],
    ['a list without it of which not all can be read', [entry('b', 0), { uuid: 7 }]],
    ['a status nobody knows', [entry('a', 77)]],
  ])('is not guessed from %s', async (_, list) => {
    await using server = await startServer(answerJson(list));
    await using under = cloudAt(server.url);
    const problem = await problemOf(under.cloud.documents.statusOf('a', userToken, asking));
    expect(problem).toMatchObject({ code: 'cloud-protocol', retry: 'later' });
  });
});

describe('a document counted as released', () => {
  it('is fetched to its end without being retained, and thrown away', async () => {
    const large = Buffer.alloc(4 * 1024 * 1024, 'x');
    let delivered = false;
    await using server = await startServer((response) =>
      response.once('finish', () => (delivered = true)).end(large),
    );
    await using under = cloudAt(server.url);
    await under.cloud.documents.consume('a', userToken, asking);
    expect(delivered).toBe(true);
    expect(server.asked).toMatchObject([
      {
        method: 'GET',
        url: '/api/v1/documents/a.content?retain=false',
        headers: { authorization: 'Bearer canary-user-token' },
      },
    ]);
  });

  it('is counted as its owner changed it', async () => {
    await using server = await startServer(answerStatus(200));
    await using under = cloudAt(server.url);
    const changed = { copies: 2, grey: true, twoSided: true } as const;
    await under.cloud.documents.consume('a', userToken, { ...asking, changed });
    expect(server.asked.map(({ url }) => url)).toEqual([
      '/api/v1/documents/a.content?retain=false&copies=2&grayscale=true&duplex=1',
    ]);
  });

  it('may be gone already', async () => {
    await using server = await startServer(answerStatus(404));
    await using under = cloudAt(server.url);
    await expect(under.cloud.documents.consume('a', userToken, asking)).resolves.toBeUndefined();
  });

  it.each([
    ['403', answerStatus(403), 'cloud-denied'],
    ['503', answerStatus(503), 'cloud-busy'],
    ['a page', answerJson({ errorCode: 1001 }), 'cloud-protocol'],
  ] as const)('is not counted with %s', async (_, reply, code) => {
    await using server = await startServer(reply);
    await using under = cloudAt(server.url);
    expect((await problemOf(under.cloud.documents.consume('a', userToken, asking))).code).toBe(code);
  });

  it('is not counted when it was cut', async () => {
    await using server = await startServer(({ socket }) => {
      socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n%PDF-');
    });
    await using under = cloudAt(server.url);
    expect((await problemOf(under.cloud.documents.consume('a', userToken, asking))).code).toBe(
      'document-cut',
    );
  });
});
