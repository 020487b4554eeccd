/** What keeps a device from being used, as far as is known at each moment (INVARIANTS.md I7, B.2). */
import { expect, it } from 'vitest';
import { minutes, seconds } from '../../src/core/duration.ts';
import { foremostObstacle } from '../../src/enrollment/obstacle.ts';
import { enroll, storedTokens } from '../support/enrollment/enrollment-stage.ts';

it('nothing is known before the first answer, and nothing stands in the way once it is approved', async () => {
  const { clock, authority, enrollment, obstacles } = enroll();
  expect(enrollment.obstacle()).toBeUndefined();
  authority.answer('token', 'authorization_pending');
  await clock.advance(seconds(1));
  expect(enrollment.obstacle()).toMatchObject({ code: 'terminal-not-authorized' });
  await clock.advance(seconds(10));
  expect(enrollment.obstacle()).toBeUndefined();
  expect(obstacles()).toEqual([undefined, 'terminal-not-authorized', undefined]);
});

it('a device that is approved at once never seems to wait for that', async () => {
  const { clock, obstacles } = enroll();
  await clock.advance(seconds(1));
  expect(obstacles()).toEqual([undefined]);
});

it('a device that waits carries the user code of its registration', async () => {
  const { clock, authority, enrollment } = enroll({ userCode: 'WDJB-MJHT' });
  authority.answer('token', 'authorization_pending', 'authorization_pending');
  await clock.advance(seconds(1));
  expect(enrollment.obstacle()).toMatchObject({ userCode: 'WDJB-MJHT' });
});

it('while a call that failed is made again, the last reason stands', async () => {
  const { clock, authority, obstacles } = enroll();
  authority.answer('register', 'unreachable', 'unreachable');
  authority.answer('token', 'authorization_pending', 'authorization_pending');
  await clock.advance(minutes(1));
  expect(obstacles()).toEqual([undefined, 'cloud-unreachable', 'terminal-not-authorized', undefined]);
});

it('a refusal is told by its own code', async () => {
  const { clock, authority, enrollment } = enroll({ facts: { tokens: storedTokens(1), approved: true } });
  authority.answer('refresh', 'endpoint_not_authorized_for_device_token_refresh');
  await clock.advance(seconds(1));
  expect(enrollment.obstacle()).toBeUndefined();
  enrollment.doubtTrust();
  await clock.advance(seconds(1));
  expect(enrollment.obstacle()).toMatchObject({ code: 'trust-withdrawn' });
});

it.each([
  [['cloud-unreachable', undefined, 'api-key-refused', 'terminal-not-authorized'], 'terminal-not-authorized'],
  [['cloud-unreachable', 'api-key-refused'], 'api-key-refused'],
  [['cloud-busy', 'cloud-unreachable'], 'cloud-busy'],
  [[undefined, undefined], undefined],
] as const)('of %j at several servers, %s is told', (codes, foremost) => {
  const obstacles = codes.map((code) => code && { code, detail: 'as it was seen' });
  expect(foremostObstacle(obstacles)?.code).toBe(foremost);
});
