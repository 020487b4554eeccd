/**
 * Runs the enrollment machine: gives it its actors, clock and delays. It turns the machine's states into the device
 * token, into conditions, and into the log records that scripts wait for. `machine.ts` makes the decisions.
 */
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import { createActor, fromPromise } from 'xstate';
import type { Duration } from '../core/duration.ts';
import { hours, longest, milliseconds } from '../core/duration.ts';
import type { Progress, Service } from '../core/service.ts';
import { aborted } from '../core/service.ts';
import type { Env } from '../domain/env.ts';
import type { Settling, Turn } from '../domain/settling.ts';
import { longestWindow, settled } from '../domain/settling.ts';
import type { DeviceFacts, DeviceTokens, TokenGrant } from '../domain/device.ts';
import type { DeviceAuthorization, DeviceStore } from '../domain/ports/enrollment.ts';
import { Problem } from '../domain/problem/problem.ts';
import { logFailure } from '../domain/problem/service-failure.ts';
import type { DeviceTokenHolder, Holding } from './tokens.ts';
import type { Obstacle } from './obstacle.ts';
import { failureIn, obstacleOf } from './obstacle.ts';
import type { EnrollmentEvent } from './machine.ts';
import { enrollmentMachine } from './machine.ts';
import type { PollIntervals } from './waits.ts';
import { backOff, freshFor, pollInterval, untilRefreshLook } from './waits.ts';

export interface EnrollmentDeps extends Env {
  readonly authorization: DeviceAuthorization;
  readonly store: DeviceStore;
  readonly holder: DeviceTokenHolder;
  /** The host of a further server; absent for the first. Trouble at a further server is a warning only. */
  readonly furtherServer?: string;
  readonly poll: PollIntervals;
  /** Absent: no other gateway starts at the same time. */
  readonly settling?: Settling;
  /** `true`: no user is in a session, which is the moment for an early refresh. */
  isIdle(): boolean;
  /** Called whenever the device becomes usable or stops being so. */
  onAuthorized(authorized: boolean): void;
  /** Called when `obstacle` may have changed. */
  onObstacle(): void;
}

/** Each phase ends by a timer or a call's limit. The service may ask for the longest wait, at most an hour. */
const longestPhase = hours(2);

type Snapshot = SnapshotFrom<typeof enrollmentMachine>;

type Provided = Required<Parameters<typeof enrollmentMachine.provide>[0]>;

export class Enrollment implements Service {
  readonly name = 'enrollment';
  readonly #deps: EnrollmentDeps;
  readonly #facts: DeviceFacts;
  /** Spreads the refreshes of many terminals that started together (B.2 step 2). */
  readonly #lifeShare: { readonly whenIdle: number; readonly regardless: number };
  /** Delays a refresh that is due. A token that the service refuses is still replaced at once. */
  readonly #turn: Turn;
  /** Monotonic time of the grant; for stored tokens it is estimated from the wall clock (D14). */
  #grantedAt: number;
  #pollingSince: number;
  #actor: ActorRefFrom<typeof enrollmentMachine> | undefined;
  #snapshot: Snapshot | undefined;
  #phase = 'stopped';
  #isUsable = false;
  #obstacle: Obstacle | undefined;

  constructor(deps: EnrollmentDeps) {
    const { store, settling = settled, clock, chance } = deps;
    this.#deps = deps;
    this.#turn = settling.turn(longestWindow);
    this.#facts = store.facts();
    const { tokens } = this.#facts;
    this.#grantedAt = tokens ? clock.monotonic() - Math.max(0, clock.now() - tokens.issuedAt) : 0;
    this.#pollingSince = clock.monotonic();
    this.#lifeShare = {
      whenIdle: chance.jitter(milliseconds(0.5)),
      regardless: chance.jitter(milliseconds(0.9)),
    };
  }

  async run(signal: AbortSignal, progress?: Progress): Promise<void> {
    const { clock, holder } = this.#deps;
    const machine = enrollmentMachine.provide({
      actors: this.#actors(),
      guards: this.#guards(),
      delays: this.#delays(),
    });
    const actor = createActor(machine, { clock, input: { facts: this.#facts } });
    const failed = new Promise<never>((_resolve, reject) => {
      actor.subscribe({
        next: (snapshot) => {
          this.#follow(snapshot);
          progress?.(longestPhase);
        },
        error: reject,
      });
    });
    this.#actor = actor;
    holder.onRefused(() => this.#tell({ type: 'TOKEN_REFUSED' }));
    actor.start();
    try {
      await Promise.race([aborted(signal), failed]);
    } finally {
      this.#actor = undefined;
      actor.stop();
    }
  }

  /** The service answered 403 unexpectedly: a refresh shows whether it still trusts this device. */
  doubtTrust(): void {
    this.#tell({ type: 'TRUST_DOUBTED' });
  }

  /** The service was away and answers again: a failed call is tried again now. */
  serviceIsBack(): void {
    // A refresh that is only due can wait.
    if (this.#turn.left() === 0 || !this.#isUsable) this.#tell({ type: 'SERVICE_BACK' });
  }

  /** The configuration was changed: a device that waits for a person tries again now. */
  personActed(): void {
    this.#tell({ type: 'PERSON_ACTED' });
  }

  /** The known reason why the device cannot be used. During a new try it stays the last one. */
  obstacle(): Obstacle | undefined {
    return this.#obstacle;
  }

  /** For the status: the machine's state in a word, and the rest of the access token's life. */
  status(): { readonly state: string; readonly tokenExpiresIn: Duration } {
    const tokens = this.#snapshot?.context.tokens;
    const left = tokens ? tokens.expiresIn - (this.#deps.clock.monotonic() - this.#grantedAt) : 0;
    return { state: this.#phase, tokenExpiresIn: longest(left as Duration, milliseconds(0)) };
  }

  #tell(event: EnrollmentEvent): void {
    this.#actor?.send(event);
  }

  #actors(): Provided['actors'] {
    const { authorization, store, clock, log } = this.#deps;
    const { identity: device } = this.#facts;
    return {
      register: fromPromise(async ({ input, signal }) => {
        store.markRegistering();
        const registration = await authorization.register(device, input.kind, { signal });
        store.saveRegistration(registration);
        this.#pollingSince = clock.monotonic();
        log.info('device registered', { clientId: device.clientId, registration: input.kind });
        return registration;
      }),
      requestToken: fromPromise(async ({ input, signal }) =>
        this.#keep(await authorization.requestToken(device, input.registration.deviceCode, { signal })),
      ),
      refresh: fromPromise(async ({ input, signal }) => {
        store.markRefreshing(input.tokens.generation);
        const tokens = this.#keep(await authorization.refresh(device, input.tokens.refreshToken, { signal }));
        log.info('device token refreshed', { generation: tokens.generation });
        return tokens;
      }),
      forget: fromPromise(async () => {
        store.forgetRegistration();
        store.forgetTokens();
      }),
    };
  }

  #guards(): Provided['guards'] {
    const { clock, isIdle } = this.#deps;
    return {
      refreshIsDue: ({ context: { tokens } }) =>
        tokens !== undefined &&
        this.#turn.left() === 0 &&
        this.#usedShare(tokens) >= (isIdle() ? this.#lifeShare.whenIdle : this.#lifeShare.regardless),
      registrationHasExpired: ({ context: { registration } }) =>
        registration !== undefined && clock.now() >= registration.expiresAt,
      tokenIsFresh: () => clock.monotonic() - this.#grantedAt < freshFor,
    };
  }

  #delays(): Provided['delays'] {
    const { clock, chance, poll } = this.#deps;
    return {
      pollInterval: ({ context }) =>
        pollInterval(clock.monotonic() - this.#pollingSince, poll, context.slowDowns),
      refreshCheck: ({ context: { tokens } }) => {
        const used = tokens ? this.#usedShare(tokens) : 0;
        const untilTurn = this.#turn.left();
        const isDue = used >= this.#lifeShare.whenIdle;
        return isDue && untilTurn > 0 ? untilTurn : untilRefreshLook(tokens, used, this.#lifeShare.whenIdle);
      },
      backOff: ({ context }) => backOff(context, chance),
      freshTokenPause: freshFor,
    };
  }

  #keep(grant: TokenGrant): DeviceTokens {
    const { store, clock } = this.#deps;
    store.saveTokens(grant);
    this.#grantedAt = clock.monotonic();
    const { tokens } = store.facts();
    if (!tokens) throw new Problem('store-failed', 'the tokens just stored are not there');
    return tokens;
  }

  #usedShare(tokens: DeviceTokens): number {
    return (this.#deps.clock.monotonic() - this.#grantedAt) / tokens.expiresIn;
  }

  #follow(next: Snapshot): void {
    this.#snapshot = next;
    const canUse = tokenIsUsable(next);
    this.#deps.holder.hold(holdingOf(next, canUse));
    const phase = typeof next.value === 'string' ? next.value : (Object.keys(next.value)[0] ?? '');
    if (phase !== this.#phase) {
      this.#phase = phase;
      tellCondition(next, this.#deps);
      if (phase === 'backingOff') this.#tellOwnFault(next.context.lastError);
    }
    this.#followObstacle(next);
    // While a refused token is replaced, a user may still hold a badge: the login waits for the new token.
    this.#authorize(canUse || (this.#isUsable && next.value === 'refreshing'));
  }

  #authorize(isUsable: boolean): void {
    if (isUsable === this.#isUsable) return;
    const { log, onAuthorized } = this.#deps;
    this.#isUsable = isUsable;
    if (isUsable) log.info('device authorized', { clientId: this.#facts.identity.clientId });
    onAuthorized(isUsable);
  }

  /** Faults of the service or the network are in the condition already. */
  #tellOwnFault(lastError: unknown): void {
    const failure = failureIn(lastError);
    if (failure.code === 'internal') logFailure(this.#deps.log, 'enrollment call failed', failure);
  }

  #followObstacle(next: Snapshot): void {
    // Only the answer to the first poll shows whether an administrator is needed.
    const isAsking = next.matches({ awaitingApproval: 'asking' });
    if (next.value === 'authorized') this.#obstacle = undefined;
    else if (!isAsking) this.#obstacle = obstacleOf(next) ?? this.#obstacle;
    this.#deps.onObstacle();
  }
}

const holdingOf = (next: Snapshot, canUse: boolean): Holding => {
  const { tokens } = next.context;
  if (canUse && tokens) return { kind: 'usable', token: tokens.accessToken };
  return { kind: tokens && !next.matches('needsPerson') ? 'coming' : 'none' };
};

/** The token in hand works until the service says otherwise, also during its refresh. */
const tokenIsUsable = ({ value, context }: Snapshot): boolean =>
  context.tokens !== undefined &&
  !context.tokenRefused &&
  (value === 'authorized' ||
    value === 'refreshing' ||
    value === 'recovering' ||
    value === 'judging' ||
    (value === 'backingOff' && context.failedCall !== 'register' && context.failedCall !== 'token'));

function tellCondition(snapshot: Snapshot, { conditions, furtherServer }: EnrollmentDeps): void {
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
