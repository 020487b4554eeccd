/**
 * The enrollment's machine, walked whole by machine: every state is reached and every transition taken; on no way are
 * tokens given up without the service's word, or a refresh token shown as new that may be spent (I6, B.2).
 */
import { expect, it } from 'vitest';
import type { SnapshotFrom } from 'xstate';
import { Secret } from '../../src/core/secret.ts';
import type { DeviceFacts } from '../../src/domain/device.ts';
import { OAuthRefusal, oauthCodes } from '../../src/domain/device.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { enrollmentMachine } from '../../src/enrollment/machine.ts';
import { missedBy, walk } from '../support/machine-walk.ts';
import { storedTokens } from '../support/enrollment/enrollment-stage.ts';

type Snapshot = SnapshotFrom<typeof enrollmentMachine>;

/** What the clock says at every step of a walk. */
let isTime = false;

const machine = enrollmentMachine.provide({
  guards: {
    refreshIsDue: () => isTime,
    registrationHasExpired: () => isTime,
    tokenIsFresh: () => !isTime,
  },
});

const unknown: DeviceFacts = {
  identity: { clientId: 'client-1', seed: new Secret('c2VlZA==') },
  registered: false,
  approved: false,
  registration: undefined,
  tokens: undefined,
  refreshing: undefined,
};
const registration = { deviceCode: new Secret('dc-1'), expiresAt: 1 };
const authorized = { ...unknown, registered: true, approved: true, tokens: storedTokens(1) };
/** What a device may know when its agent starts. */
const starts: readonly DeviceFacts[] = [
  unknown,
  { ...unknown, registered: true, registration },
  authorized,
  { ...authorized, refreshing: 1 },
];

const errors = [
  ...oauthCodes.map((code) => new OAuthRefusal(code, code)),
  new Problem('cloud-unreachable', 'connection refused', { delivery: 'not-sent' }),
  new Problem('cloud-protocol', 'the answer was cut', { delivery: 'perhaps' }),
  new Problem('cloud-busy', '503', { status: 503, delivery: 'perhaps' }),
];
const outputs: Readonly<Record<string, readonly unknown[]>> = {
  register: [registration],
  requestToken: [storedTokens(1)],
  refresh: [storedTokens(2)],
  forget: [undefined],
};
const events = ['TOKEN_REFUSED', 'TRUST_DOUBTED', 'SERVICE_BACK', 'PERSON_ACTED'].map((type) => ({ type }));

const walks = [false, true].flatMap((now) =>
  starts.map((facts) => {
    isTime = now;
    return walk<Snapshot>(machine, {
      input: { facts },
      events: () => events,
      endings: (_, actor) => ({ outputs: outputs[actor] ?? [], errors }),
      key: ({ context }) => [
        [context.registered, context.approved, context.registration !== undefined],
        [context.tokens !== undefined, context.tokenRefused, context.refreshInDoubt],
        [context.unknownThere, context.registrationInDoubt, context.failedCall, context.reaction],
      ],
    });
  }),
);
const steps = walks.flatMap((one) => one.steps);

it('every state of the enrollment is reached, and every transition taken', () => {
  expect(missedBy(machine, walks)).toEqual([]);
});

it('tokens are given up at the word of the service alone, or where the one try to save them had no answer', () => {
  const given = steps.filter(
    ({ from, to }) => from.context.tokens && from.value !== 'forgetting' && to.value === 'forgetting',
  );
  expect(given.length).toBeGreaterThan(0);
  const unasked = given.filter(
    ({ from, to }) => !(to.context.lastError instanceof OAuthRefusal) && from.value !== 'recovering',
  );
  expect(unasked).toEqual([]);
});

it('a refresh token that may be spent is tried once more and never again (I6)', () => {
  const lost = steps.filter(({ to }) => to.context.refreshInDoubt);
  expect(lost.length).toBeGreaterThan(0);
  expect(lost.filter(({ to }) => to.value === 'refreshing' || to.value === 'authorized')).toEqual([]);
});

it('a device that was registered knows it for good', () => {
  const renewed = steps.filter(({ from, to }) => from.context.registered && !to.context.registered);
  expect(renewed).toEqual([]);
});
