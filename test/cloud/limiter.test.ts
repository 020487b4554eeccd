import { describe, expect, it } from 'vitest';
import { createLimiter } from '../../src/cloud/limiter.ts';
import type { Clock } from '../../src/core/clock.ts';
import { systemClock } from '../../src/core/clock.ts';
import { asking } from './cloud-under-test.ts';

/** Time stands until it is moved; waits are remembered. */
function standingClock() {
  const clock = { at: 0, waits: [] as number[] };
  const standing: Clock = {
    ...systemClock,
    monotonic: () => clock.at,
    async sleep(span, options) {
      options?.signal?.throwIfAborted();
      clock.waits.push(span);
    },
  };
  return Object.assign(clock, { clock: standing });
}

describe('the own limit', () => {
  it('lets a burst through, then spaces the rest in the order they came (row 33)', async () => {
    const time = standingClock();
    const take = createLimiter({ limits: { requestsPerSecond: 10, burst: 3 }, clock: time.clock });
    for (let i = 0; i < 6; i += 1) await take(asking);
    expect(time.waits).toEqual([100, 200, 300]);
  });

  it('fills up again with time, and never above the burst', async () => {
    const time = standingClock();
    const take = createLimiter({ limits: { requestsPerSecond: 10, burst: 2 }, clock: time.clock });
    await take(asking);
    await take(asking);
    time.at = 60_000;
    for (let i = 0; i < 3; i += 1) await take(asking);
    expect(time.waits).toEqual([100]);
  });

  it('gives back the turn of one who gave up waiting', async () => {
    const time = standingClock();
    const take = createLimiter({ limits: { requestsPerSecond: 1, burst: 1 }, clock: time.clock });
    await take(asking);
    await expect(take({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
    await take(asking);
    expect(time.waits).toEqual([1000]);
  });
});
