/** What every `DeviceStore` must do, the real one and a fake alike. */
import { expect, test } from 'vitest';
import { hours } from '../../src/core/duration.ts';
import { Secret } from '../../src/core/secret.ts';
import type { Registration, TokenGrant } from '../../src/domain/device.ts';
import type { DeviceStore } from '../../src/domain/ports/enrollment.ts';

export interface StoredDevice extends Disposable {
  /** The store as a restart finds it. */
  open(): DeviceStore;
}

export const registration: Registration = { deviceCode: new Secret('canary-device-code'), expiresAt: 1.8e12 };

/** `1` is the first pair of tokens. */
export const grant = (number: number): TokenGrant => ({
  accessToken: new Secret(`canary-access-${number}`),
  refreshToken: new Secret(`canary-refresh-${number}`),
  expiresIn: hours(1),
});

/** The facts with their secrets laid open for comparison. */
export function plainFacts(device: DeviceStore) {
  const { identity, registration: pending, tokens, ...facts } = device.facts();
  return {
    ...facts,
    clientId: identity.clientId,
    seed: identity.seed.reveal(),
    deviceCode: pending?.deviceCode.reveal(),
    userCode: pending?.userCode,
    generation: tokens?.generation,
    accessToken: tokens?.accessToken.reveal(),
    refreshToken: tokens?.refreshToken.reveal(),
  };
}

/** What must be the same before and after a restart. */
function expectFacts(stored: StoredDevice, device: DeviceStore, expected: object): void {
  expect(plainFacts(device)).toMatchObject(expected);
  expect(plainFacts(stored.open())).toEqual(plainFacts(device));
}

export function deviceStoreContract(create: () => StoredDevice): void {
  test('an identity is made once and kept', () => {
    using stored = create();
    const first = plainFacts(stored.open());
    expect(Buffer.from(first.seed, 'base64')).toHaveLength(32);
    expect(first).toMatchObject({ registered: false, approved: false, refreshing: undefined });
    expect(plainFacts(stored.open())).toEqual(first);
  });

  test('a registration is kept until it is forgotten; that there was one is kept for good', () => {
    using stored = create();
    const device = stored.open();
    device.forgetRegistration();
    expectFacts(stored, device, { registered: false });
    device.saveRegistration(registration);
    expectFacts(stored, device, { registered: true, approved: false, deviceCode: 'canary-device-code' });
    device.forgetRegistration();
    expectFacts(stored, device, { registered: true, approved: false, deviceCode: undefined });
  });

  test('a user code is kept with its registration, where there is one', () => {
    using stored = create();
    const device = stored.open();
    device.saveRegistration({ ...registration, userCode: 'WDJB-MJHT' });
    expectFacts(stored, device, { deviceCode: 'canary-device-code', userCode: 'WDJB-MJHT' });
    device.saveRegistration(registration);
    expectFacts(stored, device, { deviceCode: 'canary-device-code', userCode: undefined });
  });

  test('that a registration was begun is known whether or not its answer is ever stored', () => {
    using stored = create();
    const device = stored.open();
    device.markRegistering();
    expectFacts(stored, device, { registered: true, approved: false, deviceCode: undefined });
    device.saveRegistration(registration);
    expectFacts(stored, device, { registered: true, deviceCode: 'canary-device-code' });
  });

  test('tokens take the place of the registration that led to them, and of the tokens before', () => {
    using stored = create();
    const device = stored.open();
    device.saveRegistration(registration);
    device.saveTokens(grant(1));
    expectFacts(stored, device, { approved: true, deviceCode: undefined, generation: 1 });
    device.saveTokens(grant(2));
    expectFacts(stored, device, { generation: 2, refreshToken: 'canary-refresh-2' });
  });

  test('I6: a refresh that was begun is known until its answer is stored', () => {
    using stored = create();
    const device = stored.open();
    device.saveTokens(grant(1));
    device.markRefreshing(1);
    expectFacts(stored, device, { refreshing: 1, generation: 1 });
    device.saveTokens(grant(2));
    expectFacts(stored, device, { refreshing: undefined, generation: 2 });
  });

  test('only the stored tokens can be marked as being refreshed', () => {
    using stored = create();
    const device = stored.open();
    expect(() => device.markRefreshing(1)).toThrow(Error);
    device.saveTokens(grant(1));
    expect(() => device.markRefreshing(2)).toThrow(Error);
  });

  test('forgotten tokens stay forgotten, and no generation comes twice', () => {
    using stored = create();
    const device = stored.open();
    device.saveTokens(grant(1));
    device.markRefreshing(1);
    device.forgetTokens();
    expectFacts(stored, device, { approved: true, generation: undefined, refreshing: undefined });
    device.saveRegistration(registration);
    expectFacts(stored, device, { deviceCode: 'canary-device-code' });
    device.saveTokens(grant(2));
    expectFacts(stored, device, {
      refreshing: undefined,
      deviceCode: undefined,
      accessToken: 'canary-access-2',
    });
    expect(device.facts().tokens?.generation).toBeGreaterThan(1);
  });
}
