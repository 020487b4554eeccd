/** The time since boot between two looks at the system: a sleep, a corrected wall clock, a slow processor. */
import * as fc from 'fast-check';
import { uptime } from 'node:os';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { createSinceBoot } from '../../src/core/clock.ts';

/** A machine whose time a test tells. */
function machine() {
  const time = { boot: 100_000, monotonic: 5000, wall: 1_700_000_000_000, looks: 0 };
  const sinceBoot = createSinceBoot({
    wall: () => Math.floor(time.wall),
    monotonic: () => time.monotonic,
    uptime() {
      time.looks += 1;
      return Math.floor(time.boot / 10) * 10;
    },
  });
  return {
    time,
    sinceBoot,
    work(span: number) {
      time.boot += span;
      time.monotonic += span;
      time.wall += span;
    },
    /** The monotonic clock stands still (clock_gettime(2): CLOCK_MONOTONIC, CLOCK_BOOTTIME). */
    sleep(span: number) {
      time.boot += span;
      time.wall += span;
    },
    correct(span: number) {
      time.wall += span;
    },
  };
}

it('is the system\u2019s own, to a hundredth of a second', () => {
  expect(Math.abs(systemClock.sinceBoot() - uptime() * 1000)).toBeLessThan(50);
});

it('looks once, however often it is asked', () => {
  const { time, sinceBoot, work } = machine();
  for (let asked = 0; asked < 1000; asked += 1) {
    work(7);
    expect(Math.abs(sinceBoot() - time.boot)).toBeLessThanOrEqual(10);
  }
  expect(time.looks).toBe(1);
});

it('knows of a sleep at once', () => {
  const { time, sinceBoot, work, sleep } = machine();
  sinceBoot();
  work(3000);
  sleep(8 * 3_600_000);
  expect(Math.abs(sinceBoot() - time.boot)).toBeLessThanOrEqual(10);
});

it('is no other where the wall clock is set', () => {
  const { time, sinceBoot, work, correct } = machine();
  sinceBoot();
  for (const span of [-86_400_000, 5, 3_600_000]) {
    correct(span);
    work(100);
    expect(Math.abs(sinceBoot() - time.boot)).toBeLessThanOrEqual(10);
  }
});

it('D14: whatever happens to the machine, it is never more than 20 ms off, and never runs backwards', () => {
  const happening = fc.tuple(
    fc.constantFrom('work', 'sleep', 'correct', 'ask'),
    fc.integer({ min: 0, max: 1e6 }),
  );
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 50 }), (happenings) => {
      const { time, sinceBoot, ...deeds } = machine();
      const reported: { readonly is: number; readonly off: number }[] = [];
      for (const [what, span] of happenings) {
        if (what !== 'ask') deeds[what](span / 3);
        const is = sinceBoot();
        reported.push({ is, off: Math.abs(is - time.boot) });
      }
      expect(reported.filter(({ off }) => off > 20)).toEqual([]);
      expect(reported.map(({ is }) => is)).toEqual(
        reported.map(({ is }) => is).toSorted((one, other) => one - other),
      );
    }),
  );
});
