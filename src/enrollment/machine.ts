/**
 * The enrollment of the device, one machine for each agent (src/cloud/README.md 1–4, INVARIANTS.md B.2). It leads from
 * no identity to a device token, and renews that token for years; injected actors register, ask and store
 * (`runner.ts`). The device gives up its identity on the service's explicit verdict only, never because something could
 * not be reached.
 */
import { assign, fromPromise, setup } from 'xstate';
import { required } from '../core/required.ts';
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
  /** The service does not know this client although it was registered. So the next registration is a first one. */
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
   * TOKEN_REFUSED: the service answered 401 to the access token · TRUST_DOUBTED: the service may no longer trust the
   * device; a refresh shows it · SERVICE_BACK: the service was away and answers again · PERSON_ACTED: the configuration
   * was changed.
   */
  readonly type: 'TOKEN_REFUSED' | 'TRUST_DOUBTED' | 'SERVICE_BACK' | 'PERSON_ACTED';
}

const notProvided = () => Promise.reject(new Error('this actor was not provided'));

const enrollmentSetup = setup({
  types: {
    context: {} as EnrollmentContext,
    events: {} as EnrollmentEvent,
    input: {} as { facts: DeviceFacts },
  },
  actors: {
    register: fromPromise<Registration, { kind: RegistrationKind }>(notProvided),
    requestToken: fromPromise<DeviceTokens, { registration: Registration }>(notProvided),
    /** Marks the refresh in the store, sends the token once, stores the successor. */
    refresh: fromPromise<DeviceTokens, { tokens: DeviceTokens }>(notProvided),
    forget: fromPromise<void>(notProvided),
  },
  actions: {
    noteFailure: assign(({ context }, { call, error }: { call: EnrollmentCall; error: unknown }) =>
      failureOf(call, context, error),
    ),
  },
  guards: {
    /** Half of the token's life is over and no user is in a session, or nine tenths are over (B.2 step 2). */
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
    /** An authorized device checks in this interval whether its refresh is due. */
    refreshCheck: 60_000,
    backOff: 5_000,
    freshTokenPause: 30_000,
    /** A device that needs a person checks in this interval whether something was repaired. */
    personPause: 900_000,
    /** Longer than the calls' own deadlines: the way out of a call that never settles. */
    callLimit: 60_000,
  },
});

const granted = (tokens: DeviceTokens) => ({
  tokens,
  registration: undefined,
  registered: true,
  approved: true,
  tokenRefused: false,
  refreshInDoubt: false,
  failures: 0,
});

/** Without an error the call was never answered. */
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

/** No answer, or an unreadable answer. A 5xx is an answer: the service, or a proxy before it, is only busy. */
const answerWasLost = (error: unknown): boolean =>
  isProblem(error) && error.delivery === 'perhaps' && (error.status === undefined || error.status < 300);

/** A call without the hoped-for answer ends here by its error or by its time limit. */
const toJudging = (call: EnrollmentCall) =>
  ({
    target: '#enrollment.judging',
    actions: {
      type: 'noteFailure',
      params: ({ event }: { event: object }) => ({ call, error: 'error' in event ? event.error : undefined }),
    },
  }) as const;

/** It starts from stored facts, never from a snapshot. */
export const enrollmentMachine = enrollmentSetup.createMachine({
  id: 'enrollment',
  context: ({ input: { facts } }) => ({
    registered: facts.registered,
    approved: facts.approved,
    registration: facts.registration,
    tokens: facts.tokens,
    tokenRefused: false,
    refreshInDoubt: facts.tokens !== undefined && facts.refreshing === facts.tokens.generation,
    unknownThere: false,
    registrationInDoubt: false,
    slowDowns: 0,
    failures: 0,
    failedCall: 'register',
    reaction: 'back-off',
    lastError: undefined,
  }),
  initial: 'deciding',
  states: {
    deciding: {
      description: 'The stored facts tell where to go on.',
      always: [
        {
          guard: ({ context }) => context.tokens !== undefined && context.refreshInDoubt,
          target: 'recovering',
        },
        {
          guard: ({ context }) => context.tokens !== undefined && context.tokenRefused,
          target: 'refreshing',
        },
        { guard: ({ context }) => context.tokens !== undefined, target: 'authorized' },
        { guard: ({ context }) => context.registration !== undefined, target: 'awaitingApproval' },
        { target: 'registering' },
      ],
    },

    registering: {
      description: 'The device introduces itself: unsigned for the first time, signed ever after.',
      invoke: {
        src: 'register',
        input: ({ context }) => ({
          kind: context.registered && !context.unknownThere ? 'repeated' : 'first',
        }),
        onDone: {
          target: 'awaitingApproval',
          actions: assign(({ event }) => ({
            registration: event.output,
            registered: true,
            unknownThere: false,
            registrationInDoubt: false,
            slowDowns: 0,
            failures: 0,
          })),
        },
        onError: toJudging('register'),
      },
      after: { callLimit: toJudging('register') },
    },

    awaitingApproval: {
      description:
        'An administrator has to approve this device; the service is asked at the polling interval.',
      initial: 'asking',
      states: {
        asking: {
          description: 'One poll with the device code is under way.',
          invoke: {
            src: 'requestToken',
            input: ({ context }) => ({ registration: required(context.registration, 'registration') }),
            onDone: {
              target: '#enrollment.authorized',
              actions: assign(({ event }) => granted(event.output)),
            },
            onError: toJudging('token'),
          },
          after: { callLimit: toJudging('token') },
        },
        resting: {
          description: 'Not approved yet; the next poll comes after the interval.',
          after: {
            pollInterval: [
              { guard: 'registrationHasExpired', target: '#enrollment.forgetting' },
              { target: 'asking' },
            ],
          },
        },
      },
    },

    authorized: {
      description: 'There is a device token; when its life runs out it is refreshed.',
      on: {
        TOKEN_REFUSED: [
          { guard: 'tokenIsFresh', target: 'doubting', actions: assign({ tokenRefused: true }) },
          { target: 'refreshing', actions: assign({ tokenRefused: true }) },
        ],
        TRUST_DOUBTED: 'refreshing',
      },
      after: {
        refreshCheck: [
          { guard: 'refreshIsDue', target: 'refreshing' },
          { target: 'authorized', reenter: true },
        ],
      },
    },

    doubting: {
      description: 'A token just granted was refused: a pause, so that a confused service is not stormed.',
      after: { freshTokenPause: 'refreshing' },
    },

    refreshing: {
      description: 'The one-time refresh token is spent, once, for its successor (I6).',
      // A request refused with the old token waits for the new one, and does not send the old one again.
      on: { TOKEN_REFUSED: { actions: assign({ tokenRefused: true }) } },
      invoke: {
        src: 'refresh',
        input: ({ context }) => ({ tokens: required(context.tokens, 'tokens') }),
        onDone: { target: 'authorized', actions: assign(({ event }) => granted(event.output)) },
        onError: toJudging('refresh'),
      },
      after: { callLimit: toJudging('refresh') },
    },

    recovering: {
      description:
        'The one recovery try with a token that may be spent: unprocessed or in a grace time it still works (B.2 step 6).',
      on: { TOKEN_REFUSED: { actions: assign({ tokenRefused: true }) } },
      invoke: {
        src: 'refresh',
        input: ({ context }) => ({ tokens: required(context.tokens, 'tokens') }),
        onDone: { target: 'authorized', actions: assign(({ event }) => granted(event.output)) },
        onError: toJudging('recovery'),
      },
      after: { callLimit: toJudging('recovery') },
    },

    judging: {
      description:
        'A call failed; the reaction table decides, and delivery decides where there is no verdict.',
      always: [
        { guard: ({ context }) => context.reaction === 'wait', target: 'awaitingApproval.resting' },
        {
          guard: ({ context }) => context.reaction === 'slow-down',
          target: 'awaitingApproval.resting',
          actions: assign(({ context }) => ({ slowDowns: context.slowDowns + 1 })),
        },
        {
          description: 'The answer to our own first registration was lost: this device is the duplicate.',
          guard: 'isOwnDuplicate',
          target: 'registering',
          actions: assign({ registered: true, registrationInDoubt: false }),
        },
        {
          description:
            'The service does not know this client; a new registration asks an administrator again.',
          guard: 'isUnknownThere',
          target: 'forgetting',
          actions: assign({ unknownThere: true }),
        },
        { guard: ({ context }) => context.reaction === 'start-over', target: 'forgetting' },
        { guard: ({ context }) => typeof context.reaction === 'object', target: 'needsPerson' },
        {
          guard: ({ context }) => context.failedCall === 'refresh' && answerWasLost(context.lastError),
          target: 'recovering',
          actions: assign({ refreshInDoubt: true }),
        },
        {
          guard: ({ context }) => context.failedCall === 'recovery' && answerWasLost(context.lastError),
          target: 'forgetting',
        },
        { target: 'backingOff' },
      ],
    },

    forgetting: {
      description: 'Device code and tokens are dead and leave the store before the device registers again.',
      invoke: { src: 'forget', onDone: 'registering', onError: 'registering' },
      exit: assign({
        registration: undefined,
        tokens: undefined,
        tokenRefused: false,
        refreshInDoubt: false,
        failures: 0,
      }),
    },

    backingOff: {
      description: 'A call failed without a verdict; it is made again after a growing pause.',
      on: {
        SERVICE_BACK: 'tryingAgain',
        // The token died while its refresh failed. The service answers again by now, and a user may stand in front of
        // the terminal.
        TOKEN_REFUSED: { target: 'tryingAgain', actions: assign({ tokenRefused: true }) },
      },
      after: { backOff: 'tryingAgain' },
    },

    tryingAgain: {
      description: 'The call that failed is made again.',
      always: [
        { guard: ({ context }) => context.failedCall === 'register', target: 'registering' },
        { guard: ({ context }) => context.failedCall === 'refresh', target: 'refreshing' },
        { guard: ({ context }) => context.failedCall === 'recovery', target: 'recovering' },
        { guard: 'registrationHasExpired', target: 'forgetting' },
        { target: 'awaitingApproval' },
      ],
    },

    needsPerson: {
      description:
        'The service refused this device; a person has to change something. It looks again now and then.',
      on: { PERSON_ACTED: 'deciding' },
      after: { personPause: 'deciding' },
    },
  },
});
