import { describe, expect, it } from 'vitest';
import { forEver, hours, seconds } from '../../src/core/duration.ts';
import type { Service } from '../../src/core/service.ts';
import { aborted, runServices } from '../../src/core/service.ts';
import { createHealth } from '../../src/operations/health.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

describe('the health of the services', () => {
  it('is good while nothing was promised', () => {
    expect(createHealth({ clock: createSteeredClock() }).overdue()).toEqual([]);
  });

  it('is good up to the promised moment, and names the service after it', async () => {
    const clock = createSteeredClock();
    const health = createHealth({ clock });
    health.follow('courier').progress(seconds(30));
    health.follow('status lobby').progress(seconds(300));
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
    const { progress } = health.follow('courier');
    progress(seconds(30));
    await clock.advance(seconds(31));
    progress(seconds(30));
    expect(health.overdue()).toEqual([]);
  });

  it('is not hidden by the progress of another service of the same name', async () => {
    const clock = createSteeredClock();
    const health = createHealth({ clock });
    health.follow('serial').progress(seconds(30));
    await clock.advance(seconds(31));
    health.follow('serial').progress(seconds(30));
    expect(health.overdue()).toMatchObject([{ service: 'serial' }]);
  });

  it('expects nothing of a service that waits for a person, and of none that has ended', async () => {
    const clock = createSteeredClock();
    const health = createHealth({ clock });
    health.follow('reader').progress(forEver);
    const courier = health.follow('courier');
    courier.progress(seconds(30));
    courier[Symbol.dispose]();
    await clock.advance(hours(1000));
    expect(health.overdue()).toEqual([]);
  });

  it('hears what a running service promises, until that has ended', async () => {
    const clock = createSteeredClock();
    const health = createHealth({ clock });
    const stop = new AbortController();
    const stuck: Service = {
      name: 'courier',
      run(signal, progress) {
        progress?.(seconds(30));
        return aborted(signal);
      },
    };
    const running = runServices([stuck], stop.signal, health);
    await clock.advance(seconds(31));
    expect(health.overdue()).toMatchObject([{ service: 'courier' }]);
    stop.abort();
    await running;
    expect(health.overdue()).toEqual([]);
  });
});
