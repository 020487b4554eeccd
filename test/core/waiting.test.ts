import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { systemClock } from '../../src/core/clock.ts';
import { hours, milliseconds, minutes, seconds } from '../../src/core/duration.ts';
import { runPeriodically, Wake } from '../../src/core/periodic.ts';
import { waitBefore } from '../../src/core/retry-schedule.ts';
import { runServices, ServiceEnded } from '../../src/core/service.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

const schedule = { first: seconds(1), factor: 2, longest: seconds(10) };
const steady = { ...systemChance, jitter: (span: ReturnType<typeof seconds>) => span };

describe('a retry schedule', () => {
  it('grows by its factor up to its longest wait', () => {
    expect([1, 2, 3, 4, 5, 6].map((attempt) => waitBefore(attempt, schedule))).toEqual(
      [1, 2, 4, 8, 10, 10].map((wait) => wait * 1000),
    );
  });

  it('never waits less than its first, not even before attempt 0', () => {
    expect(waitBefore(0, schedule)).toBe(1000);
  });

  it('is moved by chance by a tenth at most', () => {
    for (let run = 0; run < 100; run += 1) {
      expect(Math.abs(systemChance.jitter(seconds(10)) - 10_000)).toBeLessThanOrEqual(1000);
    }
  });
});

describe('a deadline of the system', () => {
  it('is given once more where it is over because nothing ran: a suspend, a paused machine', async () => {
    const stoodStill = vi.spyOn(performance, 'now');
    onTestFinished(() => stoodStill.mockRestore());
    const begun = performance.now();
    const limit = systemClock.deadline(milliseconds(30));
    stoodStill.mockReturnValue(begun + hours(1));
    await systemClock.sleep(milliseconds(40));
    expect(limit.aborted).toBe(false);
    await expect.poll(() => limit.aborted).toBe(true);
    expect(limit.reason).toMatchObject({ name: 'TimeoutError' });
  });
});

describe('a periodic duty', () => {
  it('waits its interval after a success, its schedule after a failure, and tells every failure', async () => {
    const clock = createSteeredClock();
    const stop = new AbortController();
    const times: number[] = [];
    const failures: unknown[] = [];
    let attempt = 0;
    const running = runPeriodically(
      {
        attempt: async () => {
          times.push(clock.monotonic());
          attempt += 1;
          if (attempt === 2 || attempt === 3) throw new Error(`attempt ${attempt}`);
        },
        interval: minutes(1),
        retry: schedule,
        onFailure: (error) => void failures.push(error),
      },
      { clock, chance: steady },
      stop.signal,
    );
    await clock.advance(minutes(2));
    stop.abort();
    await running;
    expect(times.map((time) => time - (times[0] ?? 0))).toEqual([0, 60_000, 61_000, 63_000]);
    expect(failures).toHaveLength(2);
  });

  it('is woken by news, also by news that came while it was busy', async () => {
    const clock = createSteeredClock();
    const stop = new AbortController();
    const wake = new Wake();
    let attempts = 0;
    const running = runPeriodically(
      {
        attempt: async () => {
          attempts += 1;
          if (attempts === 1) wake.ring();
        },
        interval: minutes(1),
        retry: schedule,
        onFailure: () => undefined,
        wake,
      },
      { clock, chance: steady },
      stop.signal,
    );
    await clock.advance(milliseconds(1));
    expect(attempts).toBe(2);
    wake.ring();
    await clock.advance(milliseconds(1));
    expect(attempts).toBe(3);
    stop.abort();
    await running;
  });
});

describe('services', () => {
  const untilStopped = (name: string, onEnd: () => void = () => {}) => ({
    name,
    run: (signal: AbortSignal) =>
      new Promise<void>((resolve) =>
        signal.addEventListener('abort', () => {
          onEnd();
          resolve();
        }),
      ),
  });

  it('end together when they are told to', async () => {
    const stop = new AbortController();
    const ended: string[] = [];
    const running = runServices(
      [untilStopped('a', () => ended.push('a')), untilStopped('b', () => ended.push('b'))],
      stop.signal,
    );
    stop.abort();
    await running;
    expect(ended).toEqual(['a', 'b']);
  });

  it.each([
    ['returns', async () => {}],
    ['throws', () => Promise.reject(new Error('broken'))],
  ])('are all stopped when one %s by itself, and it is named', async (_how, run) => {
    const ended: string[] = [];
    const running = runServices(
      [{ name: 'courier', run }, untilStopped('other', () => ended.push('other'))],
      new AbortController().signal,
    );
    await expect(running).rejects.toThrow(ServiceEnded);
    await expect(running).rejects.toMatchObject({ service: 'courier' });
    expect(ended).toEqual(['other']);
  });
});
