import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Urgency } from '../../src/cloud/http/limiter.ts';
import { limitsOf } from '../../src/agent/cloud-server.ts';
import { createLimiter, longestRestOfPerson, turnsToOneOfBackground } from '../../src/cloud/http/limiter.ts';
import { hours, milliseconds, minutes, seconds } from '../../src/core/duration.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { asking } from '../support/cloud/cloud-under-test.ts';

/** Calls under a limit, with the moments (milliseconds from the start) and the order in which they went out. */
function limited(limits: { requestsPerSecond: number; burst: number }) {
  const clock = createSteeredClock();
  const start = clock.monotonic();
  const limiter = createLimiter({ limits, clock });
  const gone: { at: number; urgency: Urgency }[] = [];
  const call = (urgency: Urgency, options = asking): Promise<void> =>
    limiter.turn({ urgency }, options).then(({ at }) => void gone.push({ at: at - start, urgency }));
  const calls = (count: number, urgency: Urgency): void => {
    for (let i = 0; i < count; i += 1) void call(urgency);
  };
  return { clock, gone, call, calls, moments: () => gone.map(({ at }) => at) };
}

describe('the own limit', () => {
  it('lets a burst through, then spaces the rest (row 33)', async () => {
    const { clock, calls, moments } = limited({ requestsPerSecond: 10, burst: 3 });
    calls(6, 'person');
    await clock.advance(seconds(1));
    expect(moments()).toEqual([0, 0, 0, 100, 200, 300]);
  });

  it('fills up again with time, and never above the burst', async () => {
    const { clock, calls, moments } = limited({ requestsPerSecond: 10, burst: 2 });
    calls(2, 'background');
    await clock.advance(seconds(60));
    calls(3, 'background');
    await clock.advance(seconds(1));
    expect(moments()).toEqual([0, 0, 60_000, 60_000, 60_100]);
  });

  it('gives back the place of one who gave up waiting', async () => {
    const { clock, call, moments } = limited({ requestsPerSecond: 1, burst: 1 });
    const leaving = new AbortController();
    await call('person');
    const given = call('person', { signal: leaving.signal });
    leaving.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    expect(clock.waits()).toEqual([]);
    await expect(call('person', { signal: leaving.signal })).rejects.toThrow('enough');
    void call('person');
    await clock.advance(seconds(5));
    expect(moments()).toEqual([0, 1000]);
  });

  it('lets a person in before all of the background that waits', async () => {
    const { clock, gone, calls } = limited({ requestsPerSecond: 10, burst: 1 });
    calls(4, 'background');
    calls(2, 'person');
    await clock.advance(seconds(1));
    expect(gone.map(({ urgency }) => urgency.charAt(0)).join('')).toBe('bppbbb');
  });

  it('keeps a tenth of the burst for a person who comes after a crowd of background', async () => {
    const { clock, gone, calls } = limited({ requestsPerSecond: 10, burst: 20 });
    calls(30, 'background');
    calls(2, 'person');
    await clock.advance(seconds(3));
    expect(gone.slice(0, 21).map(({ at, urgency }) => [at, urgency])).toEqual([
      ...Array.from({ length: 18 }, () => [0, 'background']),
      ...Array.from({ length: 2 }, () => [0, 'person']),
      [300, 'background'],
    ]);
    expect(gone).toHaveLength(32);
  });

  it('keeps a turn for the background, however many persons wait', async () => {
    const { clock, gone, calls } = limited({ requestsPerSecond: 10, burst: 1 });
    calls(40, 'person');
    calls(3, 'background');
    await clock.advance(seconds(5));
    const places = gone.flatMap(({ urgency }, place) => (urgency === 'background' ? [place] : []));
    expect(places).toEqual([1, 2, 3].map((turn) => turn * turnsToOneOfBackground));
  });

  it('is kept exactly, wastes no turn and loses no call, whoever asks when (row 33)', async () => {
    const urgency = fc.constantFrom<Urgency>('person', 'background');
    const arrivals = fc.array(
      fc.record({ after: fc.nat(60), count: fc.integer({ min: 1, max: 12 }), urgency }),
      {
        maxLength: 25,
      },
    );
    const limits = fc.record({
      requestsPerSecond: fc.integer({ min: 1, max: 200 }),
      burst: fc.integer({ min: 1, max: 30 }),
    });
    await fc.assert(
      fc.asyncProperty(limits, arrivals, async ({ requestsPerSecond, burst }, comings) => {
        const { clock, calls, moments } = limited({ requestsPerSecond, burst });
        for (const { after, count, urgency: owner } of comings) {
          await clock.advance(milliseconds(after));
          calls(count, owner);
        }
        const all = comings.reduce((sum, { count }) => sum + count, 0);
        await clock.advance(seconds(all / requestsPerSecond + 1));
        const at = moments();
        expect(at).toHaveLength(all);
        const excesses = at.flatMap((from, first) =>
          at.slice(first).map((to, more) => more + 1 - burst - ((to - from) / 1000) * requestsPerSecond),
        );
        expect(Math.max(0, ...excesses)).toBeLessThan(1e-6);
      }),
      { numRuns: 30 },
    );
  });
});

describe('the limit of a configuration', () => {
  const of = (limits: Parameters<typeof limitsOf>[0]['cloud']['limits'], count: number) =>
    limitsOf({ cloud: { limits }, terminals: { length: count } });

  it.each([
    [0, 50],
    [1, 50],
    [25, 50],
    [26, 52],
    [36, 72],
    [300, 600],
  ])('of auto with %d terminals is %d calls a second', (count, requestsPerSecond) => {
    expect(of('auto', count)).toEqual({ requestsPerSecond, burst: 100 });
  });

  it('is the given one, however many terminals there are', () => {
    const given = { requestsPerSecond: 7, burst: 3 };
    expect(of(given, 300)).toEqual(given);
  });
});

describe('persons take turns', () => {
  function rush() {
    const clock = createSteeredClock();
    const limiter = createLimiter({ limits: { requestsPerSecond: 10, burst: 1 }, clock });
    const gone: string[] = [];
    const call = (party: object | undefined, name: string, isAgain = false): void =>
      void limiter.turn({ urgency: 'person', party, isAgain }, asking).then(() => gone.push(name));
    return { clock, gone, call };
  }

  it('so that one with many documents keeps nobody waiting', async () => {
    const { clock, gone, call } = rush();
    const [ann, ben] = [{}, {}];
    for (const name of ['ann 1', 'ann 2', 'ann 3', 'ann 4']) call(ann, name);
    for (const name of ['ben 1', 'ben 2']) call(ben, name);
    call(undefined, 'a login');
    call(undefined, 'another login');
    await clock.advance(seconds(1));
    expect(gone).toEqual([
      ...['ann 1', 'ann 2', 'ben 1', 'a login', 'another login', 'ann 3', 'ben 2', 'ann 4'],
    ]);
  });

  it('and a call that the service has refused goes first', async () => {
    const { clock, gone, call } = rush();
    for (const name of ['first', 'second', 'third']) call(undefined, name);
    call(undefined, 'refused before', true);
    await clock.advance(seconds(1));
    expect(gone).toEqual(['first', 'refused before', 'second', 'third']);
  });
});

describe('a 429', () => {
  const limits = { requestsPerSecond: 70, burst: 100 };

  function refusable() {
    const clock = createSteeredClock();
    const limiter = createLimiter({ limits, clock });
    const gone: { at: number; urgency: Urgency }[] = [];
    const start = clock.monotonic();
    const turn = async (urgency: Urgency) => {
      const one = await limiter.turn({ urgency }, asking);
      gone.push({ at: one.at - start, urgency });
      return one;
    };
    /** The service refuses a call, and has its rest. */
    const refuseOne = async () => {
      const one = turn('person');
      await clock.advance(seconds(3));
      limiter.refused(await one, seconds(1));
    };
    return { clock, limiter, gone, turn, refuseOne };
  }

  it('stops persons for as long as the service wants, but never for long, and the background for all the time', async () => {
    const { clock, limiter, gone, turn } = refusable();
    limiter.refused(await turn('person'), hours(1));
    for (const urgency of ['person', 'background', 'probe'] as const) void turn(urgency);
    await clock.advance(minutes(59));
    const person = { at: longestRestOfPerson, urgency: 'person' };
    expect(gone.slice(1)).toEqual([person, { ...person, urgency: 'probe' }]);
    expect(limiter.restLeft()).toBe(minutes(1));
    await clock.advance(minutes(1));
    expect(gone.at(-1)).toEqual({ at: hours(1), urgency: 'background' });
  });

  it('lowers the rate, which grows again by two calls a minute, up to the configured one', async () => {
    const { clock, limiter, refuseOne } = refusable();
    await refuseOne();
    expect(limiter.rate()).toBeCloseTo(70 * 0.65);
    await clock.advance(minutes(10));
    expect(limiter.rate()).toBeCloseTo(70 * 0.65 + 20);
    await clock.advance(minutes(10));
    expect(limiter.rate()).toBe(70);
  });

  it('is one lesson, however many calls that went out together it refuses', async () => {
    const { clock, limiter, gone, turn } = refusable();
    const many = Array.from({ length: limits.burst + 20 }, () => turn('person'));
    await clock.advance(seconds(0.5));
    for (const one of await Promise.all(many)) limiter.refused(one, seconds(1));
    expect(limiter.rate()).toBe(70);
    // They were more at once than the service bears. A minute later two more have come back.
    await clock.advance(minutes(1));
    const since = gone.length;
    const next = Array.from({ length: 100 }, () => turn('person'));
    await clock.advance(minutes(1));
    await Promise.all(next);
    const [first] = gone.slice(since);
    expect(gone.slice(since).filter(({ at }) => at === first?.at)).toHaveLength(67);
  });

  it('again and again leaves a rate that others can live with', async () => {
    const { limiter, refuseOne } = refusable();
    for (let time = 0; time < 20; time += 1) await refuseOne();
    expect(limiter.rate()).toBe(5);
  });

  it('after a minute without one costs little', async () => {
    const { clock, limiter, refuseOne } = refusable();
    await refuseOne();
    await clock.advance(minutes(2));
    await refuseOne();
    expect(limiter.rate()).toBeCloseTo(70 * 0.65 * 0.9);
  });
});
