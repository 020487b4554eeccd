/** What the service's Date headers tell of the time (B.4 table 9; src/cloud/README.md 12, row 40). */
import { describe, expect, test } from 'vitest';
import { createServiceClock } from '../../src/cloud/link/service-clock.ts';
import { httpDate } from '../../src/core/clock.ts';
import { hours, minutes, seconds } from '../../src/core/duration.ts';
import { knownTimeNow } from '../../src/domain/service-time.ts';
import type { Condition } from '../../src/domain/condition.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

function standing() {
  const clock = createSteeredClock();
  const conditions = new Map<string, Condition>();
  const service = createServiceClock(clock, {
    raise: (condition) => void conditions.set(condition.subject, condition),
    clear: (_scope, subject) => void conditions.delete(subject),
  });
  return {
    clock,
    conditions,
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
  hear(hours(20));
  expect(service.at(clock.sinceBoot())).toBeUndefined();
  await clock.advance(minutes(3));
  hear(hours(20));
  expect(service.at(clock.sinceBoot())).toBe(wallStart + minutes(3) + hours(20));
  expect(service.at(clock.sinceBoot() - minutes(3)), 'of a moment before').toBe(wallStart + hours(20));
});

test.each([
  ['of which each tells another time', [hours(20), hours(1), hours(20), hours(1)], {}],
  ['from a cache', [hours(20), hours(20), hours(20)], { age: '72000' }],
  ['without a date', [hours(20), hours(20)], { date: 'soon' }],
])('answers %s prove nothing', (_, aheads, headers) => {
  const { clock, service, hear } = standing();
  for (const ahead of aheads) hear(ahead, headers);
  expect(service.at(clock.sinceBoot())).toBeUndefined();
});

test('one odd answer among others moves nothing', () => {
  const { hear, off } = standing();
  for (const ahead of [hours(1), hours(1), hours(20), hours(1)]) hear(ahead);
  expect(off()).toBe(hours(1));
});

describe('the time that is recorded', () => {
  test.each([
    ['ours, while nothing is known', undefined, 0],
    ['ours, where the two differ by less than a minute', seconds(50), 0],
    ["the service's, where ours is behind", hours(20), hours(20)],
    ["the service's, where ours is ahead", hours(-20), hours(-20)],
  ])('is %s', (_, ahead, expected) => {
    const { hear, off } = standing();
    if (ahead !== undefined) for (const _time of [1, 2]) hear(ahead);
    expect(off()).toBe(expected);
  });

  test('stays right when somebody sets our clock meanwhile', () => {
    const { clock, hear, off } = standing();
    for (const _ of [1, 2]) hear(hours(20));
    clock.setAhead(hours(20));
    expect(off()).toBe(0);
    clock.setAhead(hours(-1000));
    expect(off()).toBe(hours(1000));
  });
});

describe('a time that is more than a day from ours', () => {
  const aMonth = hours(40 * 24);

  test('is told, and believed only when answers have agreed on it for five minutes', async () => {
    const { clock, conditions, hear, off } = standing();
    for (const _ of [1, 2]) hear(aMonth);
    expect(conditions.get('clock')).toMatchObject({ code: 'clock-doubtful', severity: 'warning' });
    await clock.advance(minutes(4));
    hear(aMonth);
    expect(off()).toBe(0);
    await clock.advance(minutes(1));
    hear(aMonth);
    expect(off()).toBe(aMonth);
  });

  test('is told no more once the two are near again', () => {
    const { conditions, hear } = standing();
    for (const ahead of [aMonth, aMonth, 0, 0]) hear(ahead);
    expect(conditions.size).toBe(0);
  });

  test('begins anew where one answer tells otherwise in between', async () => {
    const { clock, hear, off } = standing();
    for (const ahead of [aMonth, aMonth, 0, aMonth, aMonth]) {
      await clock.advance(minutes(2));
      hear(ahead);
    }
    expect(off()).toBe(0);
  });

  test('is never believed where it was before this version was made', async () => {
    const { clock, conditions, hear, off } = standing();
    for (const _ of [1, 2, 3]) {
      hear(-wallStart);
      await clock.advance(minutes(10));
    }
    expect(off()).toBe(0);
    expect(conditions.size).toBe(1);
  });

  test('is believed at once where ours cannot be right', () => {
    const { clock, hear, off } = standing();
    clock.setAhead(hours(-400 * 24));
    for (const _ of [1, 2]) hear(0);
    expect(off()).toBe(hours(400 * 24));
  });
});
