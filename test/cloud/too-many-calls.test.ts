/** A service that answers 429 (RFC 6585 section 4): what it refuses is made again when it wants, and nothing else suffers. */
import { describe, expect, it } from 'vitest';
import { hours, minutes, seconds } from '../../src/core/duration.ts';
import { Secret } from '../../src/core/secret.ts';
import { httpDate } from '../../src/core/clock.ts';
import { CardNumber } from '../../src/domain/card/card-number.ts';
import type { Credentials } from '../../src/domain/user.ts';
import type { CloudClientDeps } from '../../src/cloud/client.ts';
import { asking, cloudAt, problemOf } from '../support/cloud/cloud-under-test.ts';
import { forwardClock } from '../support/forward-clock.ts';
import type { Reply } from '../support/cloud/scripted-server.ts';
import { answerJson, answerStatus, startServer } from '../support/cloud/scripted-server.ts';

const byCard: Credentials = { kind: 'card', card: new CardNumber('04A2B3C4') };
const byPassword: Credentials = {
  kind: 'password',
  userName: 'ann',
  password: new Secret('canary-password'),
};
const ann = { id: 12, providerId: 4, userName: 'ann', token: { access_token: 'u-1', expires_in: 3600 } };

/** The first calls are refused, and all others answered. */
const refusing =
  (count: number, headers: Record<string, string>): Reply =>
  (response, asked, number) => {
    const reply = number <= count ? answerStatus(429, headers) : answerJson(ann);
    reply(response, asked, number);
  };

async function at(reply: Reply, options: Partial<CloudClientDeps> = {}) {
  const clock = forwardClock();
  const server = await startServer(reply);
  const { cloud } = cloudAt(server.url, { clock, ...options });
  return {
    clock,
    server,
    cloud,
    login: (credentials = byCard) => cloud.logins.login(credentials, asking),
    async [Symbol.asyncDispose]() {
      await cloud[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe('a login that is refused with 429', () => {
  it.each([
    ['seconds', { 'retry-after': '3' }, 3],
    [
      'a date',
      { 'retry-after': httpDate(Date.UTC(2026, 0, 1, 0, 0, 4)), date: httpDate(Date.UTC(2026, 0, 1)) },
      4,
    ],
    ['a date in the past', { 'retry-after': httpDate(0) }, 1],
    ['no time at all', { 'retry-after': '0' }, 1],
    ['less than nothing', { 'retry-after': '-5' }, 1],
    ['nonsense', { 'retry-after': 'soon' }, 1],
    ['a number with an exponent', { 'retry-after': '1e9' }, 1],
    ['nothing', {}, 1],
  ])('is made again after Retry-After, which says %s', async (_, headers, wait) => {
    await using stage = await at(refusing(1, headers));
    const { clock, server } = stage;
    const login = stage.login();
    const span = await clock.spanOf(login);
    expect((await login).user.userName).toBe('ann');
    expect(server.asked).toHaveLength(2);
    expect(Math.round(span / 100) / 10).toBe(wait);
  });

  it('ends after three tries', async () => {
    await using stage = await at(refusing(99, { 'retry-after': '1' }));
    const problem = await stage.clock.hurry(problemOf(stage.login()));
    expect(problem).toMatchObject({ code: 'cloud-busy', status: 429, retryAfter: seconds(1) });
    expect(stage.server.asked).toHaveLength(3);
  });

  it('ends at once if the service wants more time than a person has; the next person is served all the same', async () => {
    await using stage = await at(refusing(1, { 'retry-after': '1000000000' }));
    const { clock, server } = stage;
    expect(await problemOf(stage.login())).toMatchObject({ code: 'cloud-busy', retryAfter: hours(1) });
    expect(server.asked).toHaveLength(1);
    const next = stage.login();
    expect(await clock.spanOf(next)).toBeLessThanOrEqual(seconds(2.1));
    expect((await next).user.userName).toBe('ann');
  });

  it('is made again with one try a server, too', async () => {
    await using stage = await at(refusing(1, { 'retry-after': '1' }), { loginTries: 1 });
    await stage.clock.hurry(stage.login());
    expect(stage.server.asked).toHaveLength(2);
  });

  it('is not made again by itself with a password, which may be good for one login only', async () => {
    await using stage = await at(refusing(1, { 'retry-after': '1' }));
    expect(await problemOf(stage.login(byPassword))).toMatchObject({ code: 'cloud-busy', status: 429 });
    expect(stage.server.asked).toHaveLength(1);
  });
});

describe('after a 429', () => {
  it('calls that can wait are not sent before the service wants them, and it counts as up', async () => {
    await using stage = await at(refusing(1, { 'retry-after': '60' }));
    const { clock, server, cloud } = stage;
    await problemOf(cloud.version(asking));
    const problem = await problemOf(cloud.version(asking));
    expect(problem).toMatchObject({ code: 'cloud-busy', delivery: 'not-sent' });
    expect(problem.retryAfter).toBeGreaterThan(seconds(55));
    expect(server.asked).toHaveLength(1);
    expect([cloud.link.isUp(), cloud.link.trouble()]).toEqual([true, undefined]);
    clock.forward(minutes(1));
    server.reply = answerJson({ version: '1' });
    expect(await cloud.version(asking)).toMatchObject({ version: '1' });
  });
});

it('a call that gets no turn in time is busy, not sent, and says nothing of the server', async () => {
  const limits = { requestsPerSecond: 0.01, burst: 1 };
  await using stage = await at(answerJson({ version: '1' }), { limits });
  const { clock, server, cloud } = stage;
  await cloud.version(asking);
  const problem = await clock.hurry(problemOf(cloud.version(asking)));
  expect(problem).toMatchObject({ code: 'cloud-busy', delivery: 'not-sent' });
  expect(problem.message).toContain('it got no turn within cloud.limits in time');
  expect(server.asked).toHaveLength(1);
  expect([cloud.link.isUp(), cloud.link.trouble()]).toEqual([true, undefined]);
});
