import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { createHealth } from '../../src/operations/health.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

describe('the health of the services', () => {
  it('is good while nothing was promised', () => {
    expect(createHealth({ clock: createSteeredClock() }).overdue()).toEqual([]);
  });

  it('is good up to the promised moment, and names the service after it', async () => {
    const clock = createSteeredClock();
    const health = createHealth({ clock });
    health.promise('courier', seconds(30));
    health.promise('status lobby', seconds(300));
    await clock.advance(seconds(30));
    expect(health.overdue()).toEqual([]);
    await clock.advance(seconds(11));
    expect(health.overdue()).toEqual([
      { service: 'courier', reason: 'no progress for 41 s, promised within 30 s' },
    ]);
  });

  it('is good again after the next promise', async () => {
    const clock = createSteeredClock();
    const health = createHealth({ clock });
    health.promise('courier', seconds(30));
    await clock.advance(seconds(31));
    health.promise('courier', seconds(30));
    expect(health.overdue()).toEqual([]);
  });

  it('expects nothing of a service that ended in order', async () => {
    const clock = createSteeredClock();
    const health = createHealth({ clock });
    health.promise('courier', seconds(30));
    health.release('courier');
    await clock.advance(seconds(31));
    expect(health.overdue()).toEqual([]);
  });
});
