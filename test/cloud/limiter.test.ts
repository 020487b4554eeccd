import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Urgency } from '../../src/cloud/http/limiter.ts';
import { createLimiter, turnsToOneOfBackground } from '../../src/cloud/http/limiter.ts';
import { milliseconds, seconds } from '../../src/core/duration.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { asking } from '../support/cloud/cloud-under-test.ts';

/** Calls under a limit, with the moments (milliseconds from the start) and the order in which they went out. */
function limited(limits: { requestsPerSecond: number; burst: number }) {
  const clock = createSteeredClock();
  const start = clock.monotonic();
  const take = createLimiter({ limits, clock });
  const gone: { at: number; urgency: Urgency }[] = [];
  const call = (urgency: Urgency, options = asking): Promise<void> =>
    take(urgency, options).then(() => void gone.push({ at: clock.monotonic() - start, urgency }));
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
