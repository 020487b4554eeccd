/**
 * Runs the enrollment machine: gives it its actors, clock and delays, turns its states into the device token others
 * use, into conditions, and into the log records scripts wait for. What is decided is in `enrollment.ts`.
 */
import type { SnapshotFrom } from 'xstate';
import { createActor, fromPromise } from 'xstate';
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { hours, longest, milliseconds, minutes, seconds } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import { waitBefore } from '../core/retry-schedule.ts';
import type { Service } from '../core/service.ts';
import { aborted } from '../core/service.ts';
import type { Conditions } from '../domain/condition.ts';
import type { DeviceTokens } from '../domain/device.ts';
import type { DeviceAuthorization, DeviceStore } from '../domain/ports/enrollment.ts';
import { Problem } from '../domain/problem/problem.ts';
import { logFailure } from '../domain/problem/service-failure.ts';
import type { DeviceTokenHolder } from './tokens.ts';
import type { Obstacle } from './obstacle.ts';
import { failureIn, obstacleOf } from './obstacle.ts';
import type { EnrollmentEvent } from './setup.ts';
import { enrollmentMachine } from './machine.ts';
import type { PollIntervals } from './poll-interval.ts';
import { pollInterval } from './poll-interval.ts';

export interface EnrollmentDependencies {
  readonly authorization: DeviceAuthorization;
  readonly store: DeviceStore;
  readonly holder: DeviceTokenHolder;
  /** The host of a further server; absent for the first. What is wrong there is a warning only. */
  readonly furtherServer?: string;
  readonly conditions: Conditions;
  readonly poll: PollIntervals;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  /** Nobody is in a session: the moment for an early refresh. */
  isIdle(): boolean;
  /** Called whenever the device becomes usable or stops being so. */
  onAuthorized(authorized: boolean): void;
  /** `obstacle` may say something else. */
  onObstacle(): void;
}

export interface Enrollment extends Service {
  /** What stands in the status: the machine's state in a word, and how long the access token still lives. */
  status(): { readonly state: string; readonly tokenExpiresIn: Duration };
  /** What keeps the device from being used, as far as is known; the last such thing while it is being tried again. */
  obstacle(): Obstacle | undefined;
  /** The service answered 403 where it should not: a refresh tells whether it still trusts this device. */
  doubtTrust(): void;
  /** The service was away and answers again: what failed is tried now. */
  serviceIsBack(): void;
  /** The configuration was changed: what waits for a person is tried now. */
  personActed(): void;
}

/** Short enough to be served within a minute after the OAuth side came back (I7). */
const backOff = { first: seconds(2), factor: 2, longest: seconds(45) };
const freshFor = seconds(30);
/** Each phase ends by a timer or a call's limit; the longest wait is the one that the service asks for, at most an hour. */
const longestPhase = hours(2);
const refreshLook = { rarely: minutes(5), often: seconds(5) };

type Snapshot = SnapshotFrom<typeof enrollmentMachine>;

export function createEnrollment(dependencies: EnrollmentDependencies): Enrollment {
  const { authorization, store, holder, clock, chance, log } = dependencies;
  const facts = store.facts();
  const device = facts.identity;
  /** Monotonic time of the grant; for tokens from the store as far as the wall clock can tell (D14). */
  let grantedAt = facts.tokens ? clock.monotonic() - Math.max(0, clock.now() - facts.tokens.issuedAt) : 0;
  let pollingSince = clock.monotonic();
  // Spreads the refreshes of many terminals that started together (B.2 step 2).
  const lifeShare = {
    whenIdle: chance.jitter(milliseconds(0.5)),
    regardless: chance.jitter(milliseconds(0.9)),
  };

  const keep = (grant: Parameters<DeviceStore['saveTokens']>[0]): DeviceTokens => {
    store.saveTokens(grant);
    grantedAt = clock.monotonic();
    const { tokens } = store.facts();
    if (!tokens) throw new Problem('store-failed', 'the tokens just stored are not there');
    return tokens;
  };
  const usedShare = (tokens: DeviceTokens) => (clock.monotonic() - grantedAt) / tokens.expiresIn;

  const machine = enrollmentMachine.provide({
    actors: {
      register: fromPromise(async ({ input, signal }) => {
        store.markRegistering();
        const registration = await authorization.register(device, input.kind, { signal });
        store.saveRegistration(registration);
        pollingSince = clock.monotonic();
        log.info('device registered', { clientId: device.clientId, registration: input.kind });
        return registration;
      }),
      requestToken: fromPromise(async ({ input, signal }) =>
        keep(await authorization.requestToken(device, input.registration.deviceCode, { signal })),
      ),
      refresh: fromPromise(async ({ input, signal }) => {
        store.markRefreshing(input.tokens.generation);
        const tokens = keep(await authorization.refresh(device, input.tokens.refreshToken, { signal }));
        log.info('device token refreshed', { generation: tokens.generation });
        return tokens;
      }),
      forget: fromPromise(async () => {
        store.forgetRegistration();
        store.forgetTokens();
      }),
    },
    guards: {
      refreshIsDue: ({ context: { tokens } }) =>
        tokens !== undefined &&
        usedShare(tokens) >= (dependencies.isIdle() ? lifeShare.whenIdle : lifeShare.regardless),
      registrationHasExpired: ({ context: { registration } }) =>
        registration !== undefined && clock.now() >= registration.expiresAt,
      tokenIsFresh: () => clock.monotonic() - grantedAt < freshFor,
    },
    delays: {
      pollInterval: ({ context }) =>
        pollInterval(clock.monotonic() - pollingSince, dependencies.poll, context.slowDowns),
      refreshCheck: ({ context: { tokens } }) => untilRefreshLook(tokens, tokens ? usedShare(tokens) : 0),
      backOff: ({ context }) => {
        const asked = context.lastError instanceof Problem ? context.lastError.retryAfter : undefined;
        return asked ?? chance.jitter(waitBefore(context.failures, backOff));
      },
      freshTokenPause: freshFor,
    },
  });

  let send: (event: EnrollmentEvent) => void = () => {};
  let phase = 'stopped';
  let usable = false;
  let snapshot: Snapshot | undefined;
  let obstacle: Obstacle | undefined;

  function follow(next: Snapshot) {
    snapshot = next;
    const { context } = next;
    const canUse = tokenIsUsable(next);
    holder.hold(
      canUse && context.tokens
        ? { kind: 'usable', token: context.tokens.accessToken }
        : { kind: context.tokens && !next.matches('needsPerson') ? 'coming' : 'none' },
    );
    const nowIn = typeof next.value === 'string' ? next.value : (Object.keys(next.value)[0] ?? '');
    if (nowIn !== phase) {
      phase = nowIn;
      tellCondition(next, dependencies);
      if (phase === 'backingOff') tellOwnFault(context.lastError);
    }
    followObstacle(next);
    // While a refused token is being replaced a badge may come all the same: its login waits for the new one.
    const mayServe = canUse || (usable && next.value === 'refreshing');
    if (mayServe !== usable) {
      usable = mayServe;
      if (usable) log.info('device authorized', { clientId: device.clientId });
      dependencies.onAuthorized(usable);
    }
  }

  /** What the service or the network did stands in the condition. */
  function tellOwnFault(lastError: unknown) {
    const failure = failureIn(lastError);
    if (failure.code === 'internal') logFailure(log, 'enrollment call failed', failure);
  }

  function followObstacle(next: Snapshot) {
    // Whether an administrator is needed is known when the first poll has its answer.
    const isAsking = next.matches({ awaitingApproval: 'asking' });
    if (next.value === 'authorized') obstacle = undefined;
    else if (!isAsking) obstacle = obstacleOf(next) ?? obstacle;
    dependencies.onObstacle();
  }

  return {
    name: 'enrollment',
    async run(signal, progress) {
      const actor = createActor(machine, { clock, input: { facts } });
      const failed = new Promise<never>((_resolve, reject) => {
        actor.subscribe({
          next: (current) => {
            follow(current);
            progress?.(longestPhase);
          },
          error: reject,
        });
      });
      send = (event) => actor.send(event);
      holder.onRefused(() => send({ type: 'TOKEN_REFUSED' }));
      actor.start();
      try {
        await Promise.race([aborted(signal), failed]);
      } finally {
        send = () => {};
        actor.stop();
      }
    },
    doubtTrust: () => send({ type: 'TRUST_DOUBTED' }),
    serviceIsBack: () => send({ type: 'SERVICE_BACK' }),
    personActed: () => send({ type: 'PERSON_ACTED' }),
    obstacle: () => obstacle,
    status: () => {
      const tokens = snapshot?.context.tokens;
      const left = tokens ? tokens.expiresIn - (clock.monotonic() - grantedAt) : 0;
      return { state: phase, tokenExpiresIn: longest(left as Duration, milliseconds(0)) };
    },
  };
}

/** The token in hand works until the service says otherwise, also while its successor is fetched. */
const tokenIsUsable = ({ value, context }: Snapshot): boolean =>
  context.tokens !== undefined &&
  !context.tokenRefused &&
  (value === 'authorized' ||
    value === 'refreshing' ||
    value === 'recovering' ||
    value === 'judging' ||
    (value === 'backingOff' && context.failedCall !== 'register' && context.failedCall !== 'token'));

/** A short-lived token is looked at often, a long-lived one rarely, and never more often than every few seconds. */
function untilRefreshLook(tokens: DeviceTokens | undefined, used: number): Duration {
  const untilHalf = tokens ? tokens.expiresIn * (0.5 - used) : hours(1);
  return Math.min(Math.max(untilHalf, refreshLook.often), refreshLook.rarely) as Duration;
}

function tellCondition(snapshot: Snapshot, { conditions, furtherServer }: EnrollmentDependencies): void {
  const scope = 'agent';
  const subject = furtherServer === undefined ? 'enrollment' : `enrollment at ${furtherServer}`;
  const obstacle = obstacleOf(snapshot);
  if (snapshot.value === 'authorized') conditions.clear(scope, subject);
  else if (obstacle) {
    const { code, detail } = obstacle;
    const severity = furtherServer === undefined ? 'error' : 'warning';
    conditions.raise({ code, severity, scope, subject, detail });
  }
}
