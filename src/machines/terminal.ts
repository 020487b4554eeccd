/**
 * One terminal's conversation with the person in front of it, and nothing else: it may end at any moment without
 * losing or stopping a print, because releases live at the desk. Until the kiosk page lets people choose, the first
 * badge opens the session and the same badge again releases everything; with autoRelease the first badge does both.
 */
import { assign, or } from 'xstate';
import type { CardNumber } from '../domain/card.ts';
import type { SessionEnd } from './terminal-setup.ts';
import { noDocuments, terminalSetup, wantedOf } from './terminal-setup.ts';

const cardOf = ({ event }: { event: { card: CardNumber } }) => ({ card: event.card });
const errorOf = ({ event }: { event: { error: unknown } }) => ({ error: event.error });
const sameCard = { type: 'isSameCard', params: cardOf } as const;
const takeCard = { type: 'takeCard', params: cardOf } as const;

const endBy = (reason: SessionEnd) => ({ type: 'endBy', params: { reason } }) as const;

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
    releasing: [],
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
  },
  states: {
    outOfService: {
      description: 'Nobody can be logged in: the service has not authorized this device, or no longer does.',
      always: { guard: ({ context }) => context.authorized, target: 'prompting', actions: 'tellReady' },
      on: { CARD: { actions: 'tellCardIgnored' } },
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
      },
      invoke: {
        src: 'list',
        input: ({ context }) => ({ session: required(context.session, 'session') }),
        onDone: [
          {
            guard: or([({ context }) => context.wantsAll, 'autoRelease']),
            target: 'releasing',
            actions: assign(({ event }) => ({ documents: event.output })),
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
          { guard: { type: 'isSameCardAndReleasable', params: cardOf }, target: 'releasing' },
          { ...leaves, guard: sameCard },
          nextPerson,
        ],
      },
      after: { logoutTimeout: timesOut },
    },

    releasing: {
      description:
        'The releases are at the desk; the session stays until the last has ended, or the person leaves.',
      entry: [
        assign(({ context }) => ({ releasing: wantedOf(context).map(({ uuid }) => uuid) })),
        {
          type: 'release',
          params: ({ context }) => ({
            session: required(context.session, 'session'),
            documents: wantedOf(context),
          }),
        },
      ],
      always: {
        guard: ({ context }) => context.releasing.length === 0,
        target: 'leaving',
        actions: endBy('released'),
      },
      on: {
        RELEASE_ENDED: {
          guard: ({ context, event }) => event.sessionId === context.session?.id,
          actions: assign(({ context, event }) => ({
            releasing: context.releasing.filter((uuid) => uuid !== event.documentUuid),
            notice: event.problem?.person ?? context.notice,
          })),
        },
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
          releasing: [],
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

function required<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`the terminal has no ${name} here`);
  return value;
}
