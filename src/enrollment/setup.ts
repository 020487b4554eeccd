/**
 * What the enrollment machine is made of: its context, its actors (given by `enrollment-service.ts`), its guards and
 * the table of its delays. The states are in `enrollment.ts`.
 */
import { assign, fromPromise, setup } from 'xstate';
import type { DeviceFacts, DeviceTokens, Registration, RegistrationKind } from '../domain/device.ts';
import { OAuthRefusal } from '../domain/device.ts';
import { isProblem, Problem } from '../domain/problem/problem.ts';
import type { EnrollmentCall, Reaction } from './reactions.ts';
import { isSignatureVerdict, reactionTo } from './reactions.ts';

export interface EnrollmentContext {
  readonly registered: boolean;
  readonly approved: boolean;
  readonly registration: Registration | undefined;
  readonly tokens: DeviceTokens | undefined;
  /** The service answered 401 to the access token in hand. */
  readonly tokenRefused: boolean;
  /** A refresh was sent and its answer is not stored: the refresh token may be spent. */
  readonly refreshInDoubt: boolean;
  /** The service does not know this client although it was registered: the next registration is a new one. */
  readonly unknownThere: boolean;
  /** A registration was sent and no answer came: it may have been accepted. */
  readonly registrationInDoubt: boolean;
  /** `slow_down` answers to this registration, each adding 5 s to the interval (RFC 8628 section 3.5). */
  readonly slowDowns: number;
  /** Failures in a row without a verdict. */
  readonly failures: number;
  readonly failedCall: EnrollmentCall;
  readonly reaction: Reaction;
  readonly lastError: unknown;
}

export interface EnrollmentEvent {
  /**
   * TOKEN_REFUSED: the service answered 401 to the access token · TRUST_DOUBTED: it may no longer trust the device,
   * which a refresh tells · SERVICE_BACK: it was away and answers again ·
   * PERSON_ACTED: somebody changed the configuration.
   */
  readonly type: 'TOKEN_REFUSED' | 'TRUST_DOUBTED' | 'SERVICE_BACK' | 'PERSON_ACTED';
}

const notProvided = () => Promise.reject(new Error('this actor was not provided'));

export const enrollmentSetup = setup({
  types: {
    context: {} as EnrollmentContext,
    events: {} as EnrollmentEvent,
    input: {} as { facts: DeviceFacts },
  },
  actors: {
    /** Registers and stores the device code. */
    register: fromPromise<Registration, { kind: RegistrationKind }>(notProvided),
    /** Asks with the device code and stores the tokens. */
    requestToken: fromPromise<DeviceTokens, { registration: Registration }>(notProvided),
    /** Marks the refresh in the store, sends the token once, stores the successor. */
    refresh: fromPromise<DeviceTokens, { tokens: DeviceTokens }>(notProvided),
    /** Removes device code and tokens from the store. */
    forget: fromPromise<void>(notProvided),
  },
  actions: {
    noteFailure: assign(({ context }, { call, error }: { call: EnrollmentCall; error: unknown }) =>
      failureOf(call, context, error),
    ),
  },
  guards: {
    /** Half of the token's life is over and nobody is in a session, or nine tenths are over (B.2 step 2). */
    refreshIsDue: () => false,
    registrationHasExpired: () => false,
    /** Granted less than `freshTokenPause` ago. */
    tokenIsFresh: () => false,
    isOwnDuplicate: ({ context }) =>
      context.registrationInDoubt &&
      context.lastError instanceof OAuthRefusal &&
      context.lastError.code === 'duplicate_client_id',
    isUnknownThere: ({ context }) =>
      !context.unknownThere &&
      (context.reaction === 'client-unknown' ||
        (context.failedCall === 'register' &&
          context.registered &&
          !context.approved &&
          isSignatureVerdict(context.lastError))),
  },
  delays: {
    pollInterval: 5_000,
    /** How often an authorized device looks whether its refresh is due. */
    refreshCheck: 60_000,
    backOff: 5_000,
    freshTokenPause: 30_000,
    /** How long a device that needs a person waits before it looks whether one has been. */
    personPause: 900_000,
    /** Above the calls' own deadlines: the way out of a call that never settles. */
    callLimit: 60_000,
  },
});

/** What a grant of tokens settles. */
export const granted = (tokens: DeviceTokens) => ({
  tokens,
  registration: undefined,
  registered: true,
  approved: true,
  tokenRefused: false,
  refreshInDoubt: false,
  failures: 0,
});

/** What a failed call leaves for `judging`. Without an error the call was never answered. */
function failureOf(call: EnrollmentCall, context: EnrollmentContext, error: unknown) {
  const lastError =
    error ?? new Problem('cloud-unreachable', `no answer to ${call}`, { delivery: 'perhaps' });
  const reaction = reactionTo(lastError, call);
  return {
    lastError,
    reaction,
    failedCall: call,
    failures: reaction === 'back-off' ? context.failures + 1 : 0,
    tokenRefused: context.tokenRefused || (call === 'refresh' && typeof reaction === 'object'),
    registrationInDoubt: context.registrationInDoubt || (call === 'register' && mayHaveArrived(lastError)),
  };
}

const mayHaveArrived = (error: unknown): boolean => isProblem(error) && error.delivery === 'perhaps';

/** No answer, or one that cannot be read. A 5xx is an answer: the service, or what stands before it, is only busy. */
export const answerWasLost = (error: unknown): boolean =>
  isProblem(error) && error.delivery === 'perhaps' && (error.status === undefined || error.status < 300);

export function required<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`the enrollment machine has no ${name} here`);
  return value;
}
