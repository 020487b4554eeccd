/**
 * One terminal's conversation with the person in front of it, and nothing else: it may end at any moment without
 * losing or stopping a print, because releases live at the desk. The first badge opens the session and the same badge
 * again releases everything; with autoRelease the first badge does both. What a finger chooses on the screen is in
 * `terminal-choice.ts`.
 */
import { assign, or } from 'xstate';
import type { CardNumber } from '../domain/card/card-number.ts';
import { chosen, isThere, logsOut, printAgain } from './terminal-choice.ts';
import type { SessionEnd, TerminalContext } from './terminal-setup.ts';
import { noDocuments, required, terminalSetup } from './terminal-setup.ts';

const cardOf = ({ event }: { event: { card: CardNumber } }) => ({ card: event.card });
const errorOf = ({ event }: { event: { error: unknown } }) => ({ error: event.error });
const sameCard = { type: 'isSameCard', params: cardOf } as const;
const takeCard = { type: 'takeCard', params: cardOf } as const;

const endBy = (reason: SessionEnd) => ({ type: 'endBy', params: { reason } }) as const;

/** By the badge, in the order of the list. */
const releaseAll = { target: 'releasing' as const, actions: 'wishAll' as const };

const handOver = [
  {
    type: 'release',
    params: ({ context }: { context: TerminalContext }) => ({
      session: required(context.session, 'session'),
      wishes: context.wishes,
    }),
  },
  'noteHandedOver',
] as const;

/** Another person's badge: this session ends, theirs begins. */
const nextPerson = { target: 'leaving' as const, actions: [endBy('badge'), takeCard] as const };
const leaves = { target: 'leaving' as const, actions: endBy('badge') };
const timesOut = { target: 'leaving' as const, actions: endBy('timeout') };

export const terminalMachine = terminalSetup.createMachine({
  id: 'terminal',
  context: {
    authorized: false,
    generation: 0,
    card: undefined,
    session: undefined,
    documents: noDocuments,
    quotes: [],
    wantsAll: false,
    wishes: [],
    releasing: [],
    before: 0,
    end: 'logout',
    notice: undefined,
    cloud: 'up',
    isSlow: false,
  },
  initial: 'outOfService',
  on: {
    AUTHORIZED: { actions: assign({ authorized: true }) },
    UNAUTHORIZED: { actions: assign({ authorized: false }) },
    CLOUD_DOWN: { actions: assign({ cloud: 'down' }) },
    // What was said of the service while it was away goes with the fault.
    CLOUD_UP: {
      guard: ({ context }) => context.cloud === 'down',
      actions: assign({ cloud: 'up', notice: undefined }),
    },
    STOP: { target: '.leaving', actions: endBy('stopped') },
    // Somebody else's badge, even if nobody knows whose.
    CARD_UNREADABLE: {
      target: '.leaving',
      actions: [{ type: 'noteApology', params: ({ event }) => ({ error: event.problem }) }, endBy('badge')],
    },
    RELEASE: { actions: 'tellIgnored' },
    PRINT_AGAIN: { actions: 'tellIgnored' },
    IT_IS_THERE: { actions: 'tellIgnored' },
    LOGOUT: { actions: 'tellIgnored' },
  },
  states: {
    outOfService: {
      description: 'Nobody can be logged in: the service has not authorized this device, or no longer does.',
      always: { guard: ({ context }) => context.authorized, target: 'prompting', actions: 'tellReady' },
      on: {
        CARD: { actions: 'tellCardIgnored' },
        CARD_UNREADABLE: { actions: 'tellCardIgnored' },
      },
    },

    prompting: {
      description: 'The terminal waits for a badge.',
      always: { guard: ({ context }) => !context.authorized, target: 'outOfService' },
      on: { CARD: { target: 'authenticating', actions: takeCard } },
      after: { noticeTime: { actions: assign({ notice: undefined }) } },
    },

    authenticating: {
      description: 'The service is asked whose badge it is.',
      on: {
        CARD: [{ guard: sameCard }, { target: 'authenticating', reenter: true, actions: takeCard }],
      },
      invoke: {
        src: 'login',
        input: ({ context }) => ({ card: required(context.card, 'card') }),
        onDone: {
          target: 'listing',
          actions: [
            assign(({ context, event }) => ({ session: event.output, generation: context.generation + 1 })),
            { type: 'tellSessionOpened', params: ({ event }) => ({ session: event.output }) },
          ],
        },
        onError: {
          target: 'prompting',
          actions: [
            { type: 'tellLoginFailed', params: errorOf },
            { type: 'noteApology', params: errorOf },
            assign({ card: undefined }),
          ],
        },
      },
      after: {
        patience: { actions: assign({ isSlow: true }) },
        callLimit: { target: 'prompting', actions: assign({ card: undefined }) },
      },
      exit: assign({ isSlow: false }),
    },

    listing: {
      description: 'The READY documents of the person are fetched.',
      on: {
        CARD: [{ guard: sameCard, actions: assign({ wantsAll: true }) }, nextPerson],
        LOGOUT: logsOut,
      },
      invoke: {
        src: 'list',
        input: ({ context }) => ({ session: required(context.session, 'session') }),
        onDone: [
          {
            guard: or([({ context }) => context.wantsAll, 'autoRelease']),
            target: 'releasing',
            actions: [assign(({ event }) => ({ documents: event.output })), 'wishAll'],
          },
          { target: 'choosing', actions: assign(({ event }) => ({ documents: event.output })) },
        ],
        onError: {
          target: 'leaving',
          actions: [
            { type: 'tellListFailed', params: errorOf },
            { type: 'noteApology', params: errorOf },
            endBy('error'),
          ],
        },
      },
      after: {
        patience: { actions: assign({ isSlow: true }) },
        callLimit: { target: 'leaving' as const, actions: endBy('error') },
      },
      exit: assign({ isSlow: false }),
    },

    choosing: {
      description:
        'The session is open; costs and balance come in, and the same badge again releases all that fits.',
      invoke: {
        src: 'quote',
        input: ({ context }) => ({
          session: required(context.session, 'session'),
          documents: context.documents.releasable,
        }),
      },
      on: {
        QUOTED: {
          actions: assign(({ context, event }) => ({ quotes: [...context.quotes, event.quote] })),
        },
        CARD: [
          { guard: { type: 'isSameCardAndReleasable', params: cardOf }, ...releaseAll },
          { ...leaves, guard: sameCard },
          nextPerson,
        ],
        RELEASE: { ...chosen, target: 'releasing' },
        PRINT_AGAIN: { ...printAgain, target: 'releasing' },
        IT_IS_THERE: isThere,
        LOGOUT: logsOut,
      },
      after: { logoutTimeout: timesOut, noticeTime: { actions: assign({ notice: undefined }) } },
    },

    releasing: {
      description:
        'The releases are at the desk; when the last has ended, the session is over, or the next choice comes.',
      entry: handOver,
      always: [
        {
          guard: ({ context }) => context.releasing.length === 0 && context.wantsAll,
          target: 'leaving',
          actions: ['noteDoubts', endBy('released')],
        },
        { guard: ({ context }) => context.releasing.length === 0, target: 'listing' },
      ],
      on: {
        RELEASE_ENDED: {
          guard: ({ context, event }) => event.sessionId === context.session?.id,
          actions: assign(({ context, event }) => ({
            releasing: context.releasing.filter((uuid) => uuid !== event.documentUuid),
            notice: event.problem?.person ?? context.notice,
          })),
        },
        QUEUED: {
          guard: ({ context, event }) => event.sessionId === context.session?.id,
          actions: assign({ before: ({ event }) => event.before }),
        },
        RELEASE: { ...chosen, actions: [...chosen.actions, ...handOver] },
        PRINT_AGAIN: { ...printAgain, actions: [printAgain.actions, ...handOver] },
        IT_IS_THERE: isThere,
        LOGOUT: logsOut,
        CARD: [{ ...leaves, guard: sameCard }, nextPerson],
      },
      after: { longestSession: timesOut },
    },

    leaving: {
      description: 'What belonged to the person is dropped before anybody else is greeted (I3).',
      entry: [
        {
          type: 'tellSessionClosed',
          params: ({ context }) => ({ session: context.session, reason: context.end }),
        },
        assign(({ context }) => ({
          session: undefined,
          documents: noDocuments,
          quotes: [],
          wantsAll: false,
          wishes: [],
          releasing: [],
          before: 0,
          generation: context.generation + 1,
        })),
      ],
      always: [
        { guard: ({ context }) => context.end === 'stopped', target: 'stopped' },
        {
          guard: ({ context }) => context.card !== undefined && context.authorized,
          target: 'authenticating',
        },
        { guard: ({ context }) => context.authorized, target: 'prompting' },
        { target: 'outOfService' },
      ],
    },

    stopped: { type: 'final', description: 'The agent ends; no badge is taken any more.' },
  },
});
