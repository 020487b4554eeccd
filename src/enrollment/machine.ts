/**
 * The enrollment of the device, one machine per agent: from no identity to a device token, and the keeping of that
 * token for years (api-supplement.md 1–4, reliability.md B.2). It decides; registering, asking and storing are done
 * by injected actors (`enrollment-setup.ts`). Identity is given up on the service's explicit verdict only, never
 * because something could not be reached. It starts from stored facts, never from a snapshot.
 */
import { assign } from 'xstate';
import { answerWasLost, enrollmentSetup, granted, required } from './setup.ts';
import type { EnrollmentCall } from './reactions.ts';

/** Both ways out of a call that did not answer as hoped: its error, or its time. */
const toJudging = (call: EnrollmentCall) =>
  ({
    target: '#enrollment.judging',
    actions: {
      type: 'noteFailure',
      params: ({ event }: { event: object }) => ({ call, error: 'error' in event ? event.error : undefined }),
    },
  }) as const;

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
      // Whoever was refused with the old token waits for the new one, and does not show the old one again.
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
        // The token died while its refresh failed. The service answers by now, and somebody may stand there.
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
