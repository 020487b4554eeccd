/** The port Logins over the wire: spec, Login; INVARIANTS.md B.4, 2 Login. */
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { minutes, seconds } from '../../src/core/duration.ts';
import { Secret } from '../../src/core/secret.ts';
import { CardNumber } from '../../src/domain/card/card-number.ts';
import type { CallOptions } from '../../src/domain/ports/call.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { Credentials } from '../../src/domain/user.ts';
import {
  asking,
  cloudAt,
  clockWithoutWaits,
  deviceTokens,
  problemOf,
} from '../support/cloud/cloud-under-test.ts';
import { forwardClock } from '../support/forward-clock.ts';
import type { Reply } from '../support/cloud/scripted-server.ts';
import { answerJson, answerStatus, startServer } from '../support/cloud/scripted-server.ts';

const byCard = { kind: 'card', card: new CardNumber('04A2B3C4') } as const;
const ann = {
  id: 12,
  providerId: 4,
  userName: 'ann',
  fullName: 'Ann Example',
  email: 'ann@example.com',
  cards: ['04A2B3C4'],
  groupIds: [5, 9],
  token: { access_token: 'u-1', refresh_token: 'ur-1', expires_in: 3600 },
};

describe('a login by card', () => {
  it('asks with the device token, in the documented form, and gives the user and a token', async () => {
    await using server = await startServer(answerJson(ann));
    await using under = cloudAt(server.url);
    const { user, token } = await under.cloud.logins.login(byCard, asking);

    // Without the card numbers: they are kept nowhere.
    expect(user).toEqual({
      id: 12,
      providerId: 4,
      userName: 'ann',
      fullName: 'Ann Example',
      email: 'ann@example.com',
      groupIds: [5, 9],
    });
    expect(token.value.reveal()).toBe('u-1');
    expect(server.asked).toMatchObject([
      {
        method: 'POST',
        url: '/api/v1/login',
        body: 'authtype=1&userid=04A2B3C4',
        headers: {
          authorization: 'Bearer canary-device-token-1',
          'x-api-key': 'canary-api-key',
          accept: 'application/json',
          'accept-encoding': 'identity',
          'content-type': 'application/x-www-form-urlencoded',
          'user-agent': 'Platen/0.1.0',
        },
      },
    ]);
  });

  it('does without an email and groups that make no sense', async () => {
    await using server = await startServer(answerJson({ ...ann, email: null, groupIds: ['5'] }));
    await using under = cloudAt(server.url);
    const { user } = await under.cloud.logins.login(byCard, asking);
    expect(user).toEqual({ id: 12, providerId: 4, userName: 'ann', fullName: 'Ann Example' });
  });

  it.each([
    [undefined, 3600],
    ['900', 900],
    [0, 60],
    [-1, 60],
    [1e15, 60],
  ])('a token with expires_in %j is used for %d s (B.4, 2)', async (expiresIn, expected) => {
    await using server = await startServer(
      answerJson({ ...ann, token: { access_token: 'u-1', expires_in: expiresIn } }),
    );
    await using under = cloudAt(server.url, { clock: { ...systemClock, monotonic: () => 5000 } });
    expect((await under.cloud.logins.login(byCard, asking)).token.expiresAt).toBe(5000 + expected * 1000);
  });

  it.each<[string, Reply]>([
    [
      '401',
      (response, asked, count) =>
        answerStatus(asked.url.endsWith('/login') ? 401 : 403)(response, asked, count),
    ],
    ['404', answerStatus(404)],
    ['a user that has expired', answerJson({ ...ann, isExpired: true })],
  ])('%s is a refused card, asked for once (I9)', async (_, reply) => {
    await using server = await startServer(reply);
    await using under = cloudAt(server.url);
    expect((await problemOf(under.cloud.logins.login(byCard, asking))).code).toBe('login-refused');
    expect(server.asked.filter(({ url }) => url.endsWith('/login'))).toHaveLength(1);
    expect(under.tokens.refusals).toEqual([]);
  });

  it('a 401 that names the token renews the token and asks again', async () => {
    await using server = await startServer((response, asked, count) => {
      const reply = count === 1 ? answerJson({ error: 'invalid_token' }, 401) : answerJson(ann);
      reply(response, asked, count);
    });
    await using under = cloudAt(server.url);
    await under.cloud.logins.login(byCard, asking);
    expect(under.tokens.refusals).toEqual(['canary-device-token-1']);
    expect(server.asked[1]?.headers.authorization).toBe('Bearer canary-device-token-2');
  });

  it('a bare 401 is about the device where the token is refused without a card too (I7)', async () => {
    await using server = await startServer((response, asked, count) => {
      const isOld = asked.headers.authorization === 'Bearer canary-device-token-1';
      const reply = isOld ? answerStatus(401) : answerJson(ann);
      reply(response, asked, count);
    });
    await using under = cloudAt(server.url);
    await under.cloud.logins.login(byCard, asking);
    expect(server.asked.map(({ url }) => url)).toEqual([
      '/api/v1/login',
      '/api/v1/outputports',
      '/api/v1/login',
    ]);
    expect(under.tokens.refusals).toEqual(['canary-device-token-1']);
  });

  it('a lost answer is asked for again: a login has no effect but a token', async () => {
    await using server = await startServer((response, asked, count) => {
      if (count < 3) response.socket?.resetAndDestroy();
      else answerJson(ann)(response, asked, count);
    });
    await using under = cloudAt(server.url);
    await expect(under.cloud.logins.login(byCard, asking)).resolves.toMatchObject({
      user: { userName: 'ann' },
    });
  });

  it('Retry-After is obeyed while it fits in the patience of a person, and ends the call where it does not', async () => {
    await using server = await startServer((response, asked, count) => {
      const reply =
        count === 1 ? answerStatus(503, { 'retry-after': '2' }) : answerStatus(429, { 'retry-after': '60' });
      reply(response, asked, count);
    });
    const clock = clockWithoutWaits();
    await using under = cloudAt(server.url, { clock });
    expect(await problemOf(under.cloud.logins.login(byCard, asking))).toMatchObject({
      code: 'cloud-busy',
      status: 429,
      retryAfter: minutes(1),
    });
    expect(clock.waits).toEqual([seconds(2)]);
  });

  it.each([
    ['no token', { ...ann, token: null }],
    ['no id', { ...ann, id: undefined }],
    ['an id that is no integer', { ...ann, id: 1.5 }],
    ['no provider', { ...ann, providerId: '4' }],
    ['no name', { ...ann, userName: '' }],
  ])('an answer with %s is no login (I9)', async (_, body) => {
    await using server = await startServer(answerJson(body));
    await using under = cloudAt(server.url);
    expect((await problemOf(under.cloud.logins.login(byCard, asking))).code).toBe('cloud-protocol');
  });

  it('without a device token nothing is sent', async () => {
    await using server = await startServer(answerJson(ann));
    const tokens = {
      ...deviceTokens(),
      current: () => Promise.reject(new Problem('terminal-not-authorized', 'not yet')),
    };
    await using under = cloudAt(server.url, { deviceTokens: tokens });
    expect((await problemOf(under.cloud.logins.login(byCard, asking))).code).toBe('terminal-not-authorized');
    expect(server.asked).toEqual([]);
  });

  it('waits for a device token no longer than a person would', async () => {
    const clock = forwardClock();
    const tokens = {
      ...deviceTokens(),
      async current({ signal }: CallOptions) {
        await clock.sleep(minutes(60), { signal });
        return new Secret('too late');
      },
    };
    await using under = cloudAt('http://127.0.0.1:1', { deviceTokens: tokens, clock });
    const login = clock.hurry(problemOf(under.cloud.logins.login(byCard, asking)));
    expect((await login).code).toBe('terminal-not-authorized');
  });
});

describe('a login by other means', () => {
  const password = new Secret('p&ss wörd');
  const cases: readonly [Credentials, string][] = [
    [{ kind: 'password', userName: 'ann', password }, 'authtype=0&userid=ann&password=p%26ss+w%C3%B6rd'],
    [{ ...byCard, password: new Secret('1234') }, 'authtype=1&userid=04A2B3C4&password=1234'],
    [{ kind: 'short-id', shortId: new Secret('8271') }, 'authtype=2&userid=8271'],
    [{ kind: 'name', userName: 'ann' }, 'authtype=3&userid=ann'],
    [{ kind: 'email', email: 'ann@example.com' }, 'authtype=4&userid=ann%40example.com'],
  ];

  it.each(cases)('%j sends its authtype', async (credentials, body) => {
    await using server = await startServer(answerJson(ann));
    await using under = cloudAt(server.url);
    await under.cloud.logins.login(credentials, asking);
    expect(server.asked).toMatchObject([{ url: '/api/v1/login', body }]);
  });

  it('is asked for once where a one-time password may be spent, however the answer was lost (I9)', async () => {
    await using server = await startServer((response) => response.socket?.resetAndDestroy());
    await using under = cloudAt(server.url);
    const login = under.cloud.logins.login({ kind: 'password', userName: 'ann', password }, asking);
    expect((await problemOf(login)).delivery).toBe('perhaps');
    expect(server.asked).toHaveLength(1);
  });

  it('with a password waits no longer than a person would', async () => {
    await using server = await startServer(() => undefined);
    const clock = forwardClock();
    await using under = cloudAt(server.url, { clock });
    const login = under.cloud.logins.login({ kind: 'password', userName: 'ann', password }, asking);
    expect((await clock.hurry(problemOf(login))).code).toBe('cloud-unreachable');
    expect(server.asked).toHaveLength(1);
  });
});
