/** The pulse notices by itself that the service is back (I7). */
import { describe, expect, it } from 'vitest';
import { createPulse } from '../../src/cloud/link/pulse.ts';
import { systemChance } from '../../src/core/chance.ts';
import type { Duration } from '../../src/core/duration.ts';
import { hours, minutes, seconds } from '../../src/core/duration.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

const busyFor = (retryAfter: Duration) =>
  new Problem('cloud-busy', 'status 503', { status: 503, retryAfter });
const away = new Problem('cloud-unreachable', 'refused', { delivery: 'not-sent' });

function startPulse({ refuses = false } = {}) {
  const clock = createSteeredClock();
  const { log, records } = recordLog();
  const over = new AbortController();
  const told: string[] = [];
  const service = { isAway: false, asked: 0, version: '1.0', asksFor: undefined as Duration | undefined };
  const pulse = createPulse({
    ask: async () => {
      service.asked += 1;
      const fault = service.asksFor === undefined ? away : busyFor(service.asksFor);
      pulse.heard(service.isAway ? fault : 'up');
      if (service.isAway) throw fault;
      if (refuses) throw new Problem('cloud-not-found', 'status 404', { status: 404 });
      return { version: service.version, buildDate: undefined, serverTime: undefined };
    },
    onChange: (isUp) => told.push(isUp ? 'up' : 'down'),
    onBack: () => told.push('back'),
    ...{ clock, log, chance: systemChance },
  });
  const running = pulse.run(over.signal);
  return {
    ...{ pulse, clock, told, service, records },
    async [Symbol.asyncDispose]() {
      over.abort();
      await running;
    },
  };
}

describe('a pulse', () => {
  it('asks for the version at the start, then daily, and tells a new one', async () => {
    await using scene = startPulse();
    await scene.clock.advance(seconds(1));
    expect(scene.pulse.version()?.version).toBe('1.0');
    const since = scene.pulse.since();
    await scene.clock.advance(hours(20));
    expect([since === undefined, scene.pulse.since()]).toEqual([false, since]);
    expect(scene.service.asked).toBe(1);
    scene.service.version = '1.1';
    await scene.clock.advance(hours(10));
    expect(scene.records('service version').map(({ version }) => version)).toEqual(['1.0', '1.1']);
    expect(scene.told).toEqual(['up']);
  });

  it('hears from others that the service is away, and finds it back within 20 s of its return', async () => {
    await using scene = startPulse();
    await scene.clock.advance(seconds(1));
    scene.service.isAway = true;
    scene.pulse.heard(away);
    expect(scene.pulse.isUp()).toBe(false);
    await scene.clock.advance(hours(1));
    expect(scene.told).toEqual(['up', 'down']);
    // 5 to 15 s between two questions: no storm, and no rest that is too long.
    expect(scene.service.asked).toBeGreaterThan(3600 / 15);
    expect(scene.service.asked).toBeLessThan(3600 / 5);
    scene.service.isAway = false;
    await scene.clock.advance(seconds(20));
    expect(scene.pulse.isUp()).toBe(true);
    expect(scene.told).toEqual(['up', 'down', 'up', 'back']);
  });

  it('waits as long as a service asks that is away, and a little more by chance (B.3)', async () => {
    await using scene = startPulse();
    await scene.clock.advance(seconds(1));
    scene.service.isAway = true;
    scene.service.asksFor = minutes(5);
    scene.pulse.heard(away);
    await scene.clock.advance(minutes(50));
    expect(scene.service.asked).toBeGreaterThanOrEqual(10);
    expect(scene.service.asked).toBeLessThanOrEqual(12);
  });

  it('leaves a service in peace that answers, and does not tell its version', async () => {
    await using scene = startPulse({ refuses: true });
    await scene.clock.advance(hours(3));
    expect(scene.service.asked).toBeLessThan(6);
    expect(scene.pulse.isUp()).toBe(true);
  });

  it('wakes those who wait once, however often the service flaps meanwhile', async () => {
    await using scene = startPulse();
    await scene.clock.advance(seconds(1));
    scene.service.isAway = true;
    scene.pulse.heard(away);
    await scene.clock.advance(seconds(1));
    scene.service.isAway = false;
    for (let flaps = 0; flaps < 5; flaps += 1) {
      scene.pulse.heard('up');
      scene.pulse.heard(away);
    }
    await scene.clock.advance(seconds(20));
    expect(scene.told.filter((word) => word === 'back')).toEqual(['back']);
  });

  it('takes one call that fails for what it is: a service that answers the question was never away (I8)', async () => {
    await using scene = startPulse();
    await scene.clock.advance(seconds(1));
    for (let failures = 0; failures < 20; failures += 1) {
      scene.pulse.heard(new Problem('cloud-busy', 'status 500', { status: 500 }));
      await scene.clock.advance(seconds(5));
    }
    expect(scene.told).toEqual(['up']);
    expect(scene.service.asked).toBe(21);
  });

  it('believes a failing call at once where the service does not answer the question either', async () => {
    await using scene = startPulse();
    await scene.clock.advance(seconds(1));
    scene.service.isAway = true;
    scene.pulse.heard(new Problem('cloud-busy', 'status 503', { status: 503 }));
    await scene.clock.advance(seconds(0));
    expect(scene.told).toEqual(['up', 'down']);
  });
});
