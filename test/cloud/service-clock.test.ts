/** What the service's Date headers tell of the time (B.4 table 9; api-supplement.md 12, row 40). */
import { describe, expect, test } from 'vitest';
import { createServiceClock } from '../../src/cloud/link/service-clock.ts';
import { httpDate } from '../../src/core/clock.ts';
import { hours, minutes, seconds } from '../../src/core/duration.ts';
import { knownTimeNow } from '../../src/domain/service-time.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

function standing() {
  const clock = createSteeredClock();
  const service = createServiceClock(clock);
  return {
    clock,
    service,
    /** The service's clock is so far ahead of the one this machine began with. */
    hear(ahead: number, headers: Record<string, string> = {}) {
      service.heard({ date: httpDate(wallStart + clock.monotonic() - 5000 + ahead), ...headers });
    },
    off: () => knownTimeNow(clock, service) - clock.now(),
  };
}

const wallStart = createSteeredClock().now();

test('one answer alone proves nothing; two that agree do', async () => {
  const { clock, service, hear } = standing();
  hear(hours(72));
  expect(service.at(clock.sinceBoot())).toBeUndefined();
  await clock.advance(minutes(3));
  hear(hours(72));
  expect(service.at(clock.sinceBoot())).toBe(wallStart + minutes(3) + hours(72));
  expect(service.at(clock.sinceBoot() - minutes(3)), 'of a moment before').toBe(wallStart + hours(72));
});

test.each([
  ['of which each tells another time', [hours(72), hours(1), hours(72), hours(1)], {}],
  ['from a cache', [hours(72), hours(72), hours(72)], { age: '259200' }],
  ['without a date', [hours(72), hours(72)], { date: 'soon' }],
])('answers %s prove nothing', (_, aheads, headers) => {
  const { clock, service, hear } = standing();
  for (const ahead of aheads) hear(ahead, headers);
  expect(service.at(clock.sinceBoot())).toBeUndefined();
});

test('one odd answer among others moves nothing', () => {
  const { hear, off } = standing();
  for (const ahead of [hours(1), hours(1), hours(72), hours(1)]) hear(ahead);
  expect(off()).toBe(hours(1));
});

describe('the time that is recorded', () => {
  test.each([
    ['ours, while nothing is known', undefined, 0],
    ['ours, where the two differ by less than a minute', seconds(50), 0],
    ["the service's, where ours is behind", hours(72), hours(72)],
    ["the service's, where ours is ahead", hours(-72), hours(-72)],
  ])('is %s', (_, ahead, expected) => {
    const { hear, off } = standing();
    if (ahead !== undefined) for (const _time of [1, 2]) hear(ahead);
    expect(off()).toBe(expected);
  });

  test('stays right when somebody sets our clock meanwhile', () => {
    const { clock, hear, off } = standing();
    for (const _ of [1, 2]) hear(hours(72));
    clock.setAhead(hours(72));
    expect(off()).toBe(0);
    clock.setAhead(hours(-1000));
    expect(off()).toBe(hours(1000));
  });
});
