/**
 * Whether a server is up, from all calls to it: one that fails again and again is left alone (INVARIANTS.md B.3), people
 * never wait for it, and it is noticed without anybody's help that it is back (I7).
 */
import { describe, expect, it } from 'vitest';
import { ServerLink } from '../../src/cloud/link/server-link.ts';
import { systemChance } from '../../src/core/chance.ts';
import type { Reachability } from '../../src/cloud/http/gate.ts';
import type { Duration } from '../../src/core/duration.ts';
import { hours, minutes, seconds } from '../../src/core/duration.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { recordLog } from '../support/recorded-log.ts';
import { forwardClock } from '../support/forward-clock.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { asking, cloudAt, problemOf } from '../support/cloud/cloud-under-test.ts';
import { answerJson, answerStatus, startServer } from '../support/cloud/scripted-server.ts';

const busyFor = (retryAfter: Duration) =>
  new Problem('cloud-busy', 'status 503', { status: 503, retryAfter });
const failure = new Problem('cloud-busy', 'status 503', { status: 503 });
const away = new Problem('cloud-unreachable', 'refused', { delivery: 'not-sent' });

function startLink({ refuses = false } = {}) {
  const clock = createSteeredClock();
  const { log, records } = recordLog();
  const over = new AbortController();
  const reported: string[] = [];
  const service = { isAway: false, asked: 0, version: '1.0', asksFor: undefined as Duration | undefined };
  const people = { areHere: false, wait: undefined as Promise<void> | undefined };
  const link = new ServerLink({
    ask: async () => {
      service.asked += 1;
      await people.wait;
      const fault = service.asksFor === undefined ? away : busyFor(service.asksFor);
      link.api.heard(service.isAway ? fault : 'up', 'probe');
      if (service.isAway) throw fault;
      if (refuses) throw new Problem('cloud-not-found', 'status 404', { status: 404 });
      return { version: service.version };
    },
    onNews: (news) => news !== 'trouble' && reported.push(news),
    isAttended: () => people.areHere,
    clock,
    log,
    chance: systemChance,
  });
  const running = link.run(over.signal);
  return {
    link,
    clock,
    reported,
    service,
    people,
    records,
    async [Symbol.asyncDispose]() {
      over.abort();
      await running;
    },
  };
}

describe('the link to a server', () => {
  it('asks for the version at the start, then daily, and tells a new one', async () => {
    await using stage = startLink();
    await stage.clock.advance(seconds(1));
    expect(stage.link.version()).toBe('1.0');
    const since = stage.link.since();
    await stage.clock.advance(hours(20));
    expect([since === undefined, stage.link.since()]).toEqual([false, since]);
    expect(stage.service.asked).toBe(1);
    stage.service.version = '1.1';
    await stage.clock.advance(hours(10));
    expect(stage.records('service version').map(({ version }) => version)).toEqual(['1.0', '1.1']);
    expect(stage.reported).toEqual(['up']);
  });

  it('hears from others that the service is away, and finds it back within 20 s of its return', async () => {
    await using stage = startLink();
    await stage.clock.advance(seconds(1));
    stage.service.isAway = true;
    stage.link.api.heard(away, 'background');
    expect(stage.link.isUp()).toBe(false);
    await stage.clock.advance(hours(1));
    expect(stage.reported).toEqual(['up', 'down']);
    // 14 to 15 s between two questions: no storm, and no rest that is too long.
    expect(stage.service.asked).toBeGreaterThan(3600 / 15);
    expect(stage.service.asked).toBeLessThan(3600 / 5);
    stage.service.isAway = false;
    await stage.clock.advance(seconds(20));
    expect(stage.link.isUp()).toBe(true);
    expect(stage.reported).toEqual(['up', 'down', 'up', 'back']);
  });

  it('asks every few seconds while somebody is signed in, who hears within 5 s that it went away', async () => {
    await using stage = startLink();
    await stage.clock.advance(seconds(1));
    stage.people.areHere = true;
    stage.link.api.heard('up', 'person');
    await stage.clock.advance(seconds(30));
    expect(stage.service.asked).toBe(1 + 30 / 2.5);
    stage.service.isAway = true;
    await stage.clock.advance(seconds(5));
    expect(stage.reported).toEqual(['up', 'down']);
    stage.people.areHere = false;
    stage.service.isAway = false;
    await stage.clock.advance(minutes(1));
    const { asked } = stage.service;
    await stage.clock.advance(hours(1));
    expect(stage.service.asked).toBe(asked);
  });

  it('tells who is signed in within 5 s of a service that does not answer, and of its answer', async () => {
    await using stage = startLink();
    await stage.clock.advance(seconds(1));
    stage.people.areHere = true;
    stage.link.api.heard('up', 'person');
    const answer = Promise.withResolvers<void>();
    stage.people.wait = answer.promise;
    await stage.clock.advance(seconds(5));
    expect([stage.reported, stage.link.isUp(), stage.link.isSlow()]).toEqual([['up', 'slow'], true, true]);
    answer.resolve();
    await stage.clock.advance(seconds(0));
    expect([stage.reported, stage.link.isSlow()]).toEqual([['up', 'slow', 'quick'], false]);
  });

  it('waits as long as a service asks that is away, and a little more by chance (B.3)', async () => {
    await using stage = startLink();
    await stage.clock.advance(seconds(1));
    stage.service.isAway = true;
    stage.service.asksFor = minutes(5);
    stage.link.api.heard(away, 'background');
    await stage.clock.advance(minutes(50));
    expect(stage.service.asked).toBeGreaterThanOrEqual(10);
    expect(stage.service.asked).toBeLessThanOrEqual(12);
  });

  it('leaves a service in peace that answers, and does not tell its version', async () => {
    await using stage = startLink({ refuses: true });
    await stage.clock.advance(hours(3));
    expect(stage.service.asked).toBeLessThan(6);
    expect(stage.link.isUp()).toBe(true);
  });

  it('wakes those who wait once, however often the service flaps meanwhile', async () => {
    await using stage = startLink();
    await stage.clock.advance(seconds(1));
    stage.service.isAway = true;
    stage.link.api.heard(away, 'background');
    await stage.clock.advance(seconds(1));
    stage.service.isAway = false;
    for (let flaps = 0; flaps < 5; flaps += 1) {
      stage.link.api.heard('up', 'background');
      stage.link.api.heard(away, 'background');
    }
    await stage.clock.advance(seconds(20));
    expect(stage.reported.filter((word) => word === 'back')).toEqual(['back']);
  });

  it('takes one call that fails for what it is: a service that answers the question was never away (I8)', async () => {
    await using stage = startLink();
    await stage.clock.advance(seconds(1));
    for (let failures = 0; failures < 20; failures += 1) {
      stage.link.api.heard(new Problem('cloud-busy', 'status 500', { status: 500 }), 'background');
      await stage.clock.advance(seconds(5));
    }
    expect(stage.reported).toEqual(['up']);
    expect(stage.service.asked).toBe(21);
  });

  it('believes a failing call at once where the service does not answer the question either', async () => {
    await using stage = startLink();
    await stage.clock.advance(seconds(1));
    stage.service.isAway = true;
    stage.link.api.heard(new Problem('cloud-busy', 'status 503', { status: 503 }), 'background');
    await stage.clock.advance(seconds(0));
    expect(stage.reported).toEqual(['up', 'down']);
  });
});

function failing(times: number) {
  const clock = createSteeredClock();
  const { log } = recordLog();
  const ask = () => Promise.reject(new Error('nobody asks'));
  const link = new ServerLink({ ask, onNews: () => undefined, clock, chance: systemChance, log });
  const heard = (state: Reachability): void => link.api.heard(state, 'background');
  for (let count = 0; count < times; count += 1) heard(failure);
  return { clock, link, heard, isLeftAlone: () => isRefused(() => link.api.pass('GET /x', 'background')) };
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

describe('a server', () => {
  it('is sent everything through until the fifth failure in a row', () => {
    expect(failing(4).isLeftAlone()).toBe(false);
    expect(failing(5).isLeftAlone()).toBe(true);
  });

  it('forgets failures at the first answer', () => {
    const { heard, isLeftAlone } = failing(4);
    heard('up');
    heard(failure);
    expect(isLeftAlone()).toBe(false);
  });

  it('lets one call try after 15 s; the others wait for what becomes of it', async () => {
    const { clock, heard, isLeftAlone } = failing(5);
    await clock.advance(seconds(14));
    expect(isLeftAlone()).toBe(true);
    await clock.advance(seconds(1));
    expect([isLeftAlone(), isLeftAlone()]).toEqual([false, true]);
    heard(failure);
    await clock.advance(seconds(15));
    expect(isLeftAlone()).toBe(false);
    heard('up');
    expect([isLeftAlone(), isLeftAlone()]).toEqual([false, false]);
  });

  it('that is away is tried by nobody but those who ask whether it is back', async () => {
    const { clock, link, isLeftAlone } = failing(5);
    for (let minute = 0; minute < 4; minute += 1) {
      link.api.heard(failure, 'probe');
      await clock.advance(seconds(14));
      expect(isLeftAlone()).toBe(true);
    }
    expect(() => link.api.pass('GET /version', 'probe')).not.toThrow();
  });

  it('that is there and fails at the question alone is tried by others all the same', async () => {
    const { clock, link, isLeftAlone } = failing(5);
    await clock.advance(seconds(10));
    link.api.heard(new Problem('cloud-busy', 'status 500', { status: 500 }), 'probe');
    await clock.advance(seconds(5));
    expect(isLeftAlone()).toBe(false);
  });

  it('never keeps a person waiting', () => {
    const { link } = failing(50);
    expect(() => link.api.pass('POST /login', 'person')).not.toThrow();
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

  it('is asked all the while whether it is back, and everything goes on at its first answer (I7)', async () => {
    await using server = await startServer(answerStatus(502));
    const clock = createSteeredClock();
    await using under = cloudAt(server.url, { clock });
    const { link } = under.cloud;
    for (let count = 0; count < 5; count += 1) await problemOf(under.cloud.version(asking));
    const over = new AbortController();
    const running = link.run(over.signal);
    server.reply = answerJson({ version: '1' });
    await expect.poll(() => link.isUp() && link.version()).toBe('1');
    expect(await under.cloud.version(asking)).toMatchObject({ version: '1' });
    expect(server.asked).toHaveLength(7);
    over.abort();
    await running;
  });

  it.each([400, 401, 403, 404, 405, 429])(
    'is at work when it answers %d, and asked again',
    async (status) => {
      await using server = await startServer(answerStatus(status));
      const clock = forwardClock();
      await using under = cloudAt(server.url, { clock });
      for (let count = 0; count < 7; count += 1) await clock.hurry(problemOf(under.cloud.version(asking)));
      const withKeyAlone = server.asked.filter(({ headers }) => headers['authorization'] === undefined);
      expect(withKeyAlone).toHaveLength(7);
    },
  );
});
