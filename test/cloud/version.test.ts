/** `GET /version`: with the API key alone, and where an account wants more, with the device token. */
import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/domain/problem/problem.ts';
import { asking, cloudAt, problemOf } from '../support/cloud/cloud-under-test.ts';
import { answerJson, answerStatus, startServer } from '../support/cloud/scripted-server.ts';

it('the version is asked with the key alone, and tells the time there too', async () => {
  const date = 'Sat, 21 Nov 2026 12:00:00 GMT';
  const info = { version: '9.4', buildDate: null, buildTimeStamp: 17 };
  await using server = await startServer(answerJson(info, 200, { date }));
  await using under = cloudAt(server.url);
  expect(await under.cloud.version(asking)).toEqual({
    version: '9.4',
    buildDate: undefined,
    serverTime: Date.UTC(2026, 10, 21, 12),
  });
  expect(server.asked[0]?.headers).toMatchObject({ 'x-api-key': 'canary-api-key' });
  expect(server.asked[0]?.headers).not.toHaveProperty('authorization');
});

describe('the version of an account that wants a token for every call', () => {
  const refused = answerStatus(403);

  it.each([401, 403])(
    'is asked once more with the device token where the key alone meets %i (row 44)',
    async (status) => {
      await using server = await startServer((response, asked, count) =>
        (asked.headers['authorization'] === undefined
          ? answerStatus(status)
          : answerJson({ version: '9.4' }))(response, asked, count),
      );
      await using under = cloudAt(server.url);
      expect((await under.cloud.version(asking)).version).toBe('9.4');
      expect(server.asked.map(({ headers }) => headers['authorization'])).toEqual([
        undefined,
        'Bearer canary-device-token-1',
      ]);
    },
  );

  it('is not told where both are refused, which costs no token, and both are named', async () => {
    await using server = await startServer((response, asked, count) =>
      (asked.headers['authorization'] === undefined ? refused : answerStatus(401))(response, asked, count),
    );
    await using under = cloudAt(server.url);
    const problem = await problemOf(under.cloud.version(asking));
    expect(problem).toMatchObject({
      code: 'cloud-denied',
      status: 403,
      cause: { code: 'device-token-refused', status: 401 },
      message: expect.stringMatching(/403 .*to the API key alone; then .*401/),
    });
    expect(under.tokens.refusals).toEqual([]);
  });

  it('is not told where there is no device token yet', async () => {
    const none = new Problem('terminal-not-authorized', 'there is no device token');
    const deviceTokens = { current: () => Promise.reject(none), refused: () => {}, denied: () => {} };
    await using server = await startServer(refused);
    await using under = cloudAt(server.url, { deviceTokens });
    expect(await problemOf(under.cloud.version(asking))).toMatchObject({ code: 'cloud-denied', cause: none });
    expect(server.asked).toHaveLength(1);
  });
});
