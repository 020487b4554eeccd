/** The breaker leaves a server alone that fails again and again (reliability.md B.3), and people never wait for it. */
import { describe, expect, it } from 'vitest';
import { createBreaker } from '../../src/cloud/link/breaker.ts';
import { seconds } from '../../src/core/duration.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { asking, cloudAt, problemOf } from './cloud-under-test.ts';
import { answerJson, answerStatus, startServer } from './scripted-server.ts';

const failure = new Problem('cloud-busy', 'status 503', { status: 503 });

function failing(times: number) {
  const clock = createSteeredClock();
  const breaker = createBreaker(clock);
  for (let count = 0; count < times; count += 1) breaker.heard(failure);
  return { clock, breaker, isOpen: () => isRefused(() => breaker.pass('GET /x', 'background')) };
}

function isRefused(pass: () => void): boolean {
  try {
    pass();
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: 'cloud-unreachable', delivery: 'not-sent', cause: failure });
    return true;
  }
}

describe('a breaker', () => {
  it('lets everything through until the fifth failure in a row', () => {
    expect(failing(4).isOpen()).toBe(false);
    expect(failing(5).isOpen()).toBe(true);
  });

  it('forgets failures at the first answer', () => {
    const { breaker, isOpen } = failing(4);
    breaker.heard(undefined);
    breaker.heard(failure);
    expect(isOpen()).toBe(false);
  });

  it('lets one call try after 15 s; the others wait for what becomes of it', async () => {
    const { clock, breaker, isOpen } = failing(5);
    await clock.advance(seconds(14));
    expect(isOpen()).toBe(true);
    await clock.advance(seconds(1));
    expect([isOpen(), isOpen()]).toEqual([false, true]);
    breaker.heard(failure);
    await clock.advance(seconds(15));
    expect(isOpen()).toBe(false);
    breaker.heard(undefined);
    expect([isOpen(), isOpen()]).toEqual([false, false]);
  });

  it('never keeps a person waiting', () => {
    const { breaker } = failing(50);
    expect(() => breaker.pass('POST /login', 'person')).not.toThrow();
  });
});

describe('a server that fails again and again', () => {
  it('is left alone, and served again when it is well', async () => {
    await using server = await startServer(answerStatus(502));
    const clock = createSteeredClock();
    await using under = cloudAt(server.url, { clock });
    const ask = () => problemOf(under.cloud.version(asking));
    for (let count = 0; count < 5; count += 1) expect(await ask()).toMatchObject({ status: 502 });
    expect((await ask()).message).toContain('the server failed 5 times in a row');
    expect(server.asked).toHaveLength(5);

    server.reply = answerJson({ version: '1' });
    await clock.advance(seconds(15));
    expect(await under.cloud.version(asking)).toMatchObject({ version: '1' });
    expect(under.reached.at(-1)).toBe('up');
  });

  it.each([400, 401, 403, 404, 405, 429])(
    'is at work when it answers %d, and asked again',
    async (status) => {
      await using server = await startServer(answerStatus(status));
      await using under = cloudAt(server.url);
      for (let count = 0; count < 7; count += 1) await problemOf(under.cloud.version(asking));
      const withKeyAlone = server.asked.filter(({ headers }) => headers['authorization'] === undefined);
      expect(withKeyAlone).toHaveLength(7);
    },
  );
});
