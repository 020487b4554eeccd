/**
 * One terminal's conversation with the person in front of it, and nothing else: it may end at any moment without
 * losing or stopping a print, because releases live at the desk. The first badge opens the session and the same badge
 * again releases everything; with autoRelease the first badge does both. What a finger chooses on the screen is in
 * `terminal-choice.ts`.
 */
import { and, assign } from 'xstate';
import type { Problem } from '../domain/problem/problem.ts';
import { changes, chosen, discards, isThere, logsOut, printAgain } from './choice.ts';
import { beginsCountdown, isOwn, staysOn } from './countdown.ts';
import { cardOf, endBy, errorOf, leaves, nextPerson, sameCard, timesOut } from './endings.ts';
import { enrolling, registering, signingIn } from './registration.ts';
import { askingPin, authenticating, begins, logsIn } from './login.ts';
import { noChanges, releasableOf } from './session-list.ts';
import { relaying, relays } from './relay.ts';
import type { DocumentEnd } from '../release/session-progress.ts';
import type { TerminalContext } from './context.ts';
import { required } from './context.ts';
import { terminalSetup } from './setup.ts';
import { looksAgain, upkeep } from './upkeep.ts';
import { noDocuments } from './sorted-documents.ts';

/** In the order of the list. */
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

/** Nothing is left to be done or asked. */
const closes = { target: 'leaving' as const, actions: ['noteLastWord', endBy('released')] as const };

const ended = [{ type: 'noteEnd', params: ({ event }: { event: DocumentEnd }) => event }] as const;

const problemOf = ({ event }: { event: { problem: Problem } }) => ({ error: event.problem });

/** Whoever ended this session by a badge. */
const hasNext = ({ context }: { context: TerminalContext }) =>
  context.card !== undefined && context.authorized;

export const terminalMachine = terminalSetup.createMachine({
  id: 'terminal',
  context: {
    authorized: false,
    generation: 0,
    card: undefined,
    credentials: undefined,
    pinTries: 0,
    session: undefined,
    documents: noDocuments,
    changes: noChanges,
    dealtWith: new Set<string>(),
    isLookAskedFor: false,
    quotes: [],
    wantsAll: false,
    awaitsFirst: false,
    wishes: [],
    releasing: [],
    progress: [],
    before: 0,
    end: 'logout',
    notice: undefined,
    cloud: 'up',
    isSlow: false,
    readers: 'up',
    isRelayed: false,
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
    READERS: { actions: assign({ readers: ({ event }) => event.state }) },
    CARD_RELAYED: relays,
    STOP: { target: '.leaving', actions: endBy('stopped') },
    TOO_LONG: { target: '.leaving', actions: endBy('timeout') },
    // Somebody else's badge, even if nobody knows whose.
    CARD_UNREADABLE: {
      target: '.leaving',
      actions: [{ type: 'noteApology', params: problemOf }, endBy('badge')],
    },
    RELEASE: { actions: 'tellIgnored' },
    DELETE: { actions: 'tellIgnored' },
    CHANGE: { actions: 'tellIgnored' },
    PRINT_AGAIN: { actions: 'tellIgnored' },
    IT_IS_THERE: { actions: 'tellIgnored' },
    LOGOUT: { actions: 'tellIgnored' },
    LOG_IN: { actions: 'tellIgnored' },
    PIN: { actions: 'tellIgnored' },
    ENROL: { actions: 'tellIgnored' },
    // As if its owner had pressed the button.
    CARD_REMOVED: { guard: sameCard, target: '.leaving', actions: endBy('logout') },
  },
  states: {
    outOfService: {
      description: 'Nobody can be logged in: the service has not authorized this device, or no longer does.',
      // A badge that ended a session is not the next person's.
      entry: assign({ card: undefined }),
      always: { guard: ({ context }) => context.authorized, target: 'prompting' },
      on: {
        CARD: { actions: 'tellCardIgnored' },
        CARD_UNREADABLE: { actions: 'tellCardIgnored' },
      },
      after: { noticeTime: { actions: assign({ notice: undefined }) } },
    },

    prompting: {
      description: 'The terminal waits for a badge.',
      always: { guard: ({ context }) => !context.authorized, target: 'outOfService' },
      on: { CARD: begins, LOG_IN: logsIn },
      after: { noticeTime: { actions: assign({ notice: undefined }) } },
    },

    askingPin,
    authenticating,
    enrolling,
    signingIn,
    registering,
    relaying,

    listing: {
      description: 'The READY documents of the person are fetched.',
      entry: 'stopCountdown',
      on: {
        CARD: [{ guard: sameCard, actions: assign({ wantsAll: true }) }, nextPerson],
        LOGOUT: logsOut,
      },
      invoke: {
        src: 'list',
        input: ({ context }) => ({ session: required(context.session, 'session') }),
        onDone: {
          target: 'listed',
          actions: assign(({ event }) => ({
            documents: event.output,
            quotes: [],
            dealtWith: new Set<string>(),
          })),
        },
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

    listed: {
      description: 'What may be printed, or is to be asked about, says how the session goes on.',
      always: [
        {
          guard: and(['asksOnly', 'canBeAsked']),
          target: 'choosing',
          actions: [assign({ wantsAll: false }), ...beginsCountdown],
        },
        { guard: and(['offersNothing', 'wantsAll']), ...closes },
        {
          guard: and(['offersNothing', 'autoRelease', 'isFirstList']),
          target: 'choosing',
          actions: [assign({ awaitsFirst: true }), ...beginsCountdown],
        },
        { guard: and(['offersNothing', 'autoRelease']), ...closes },
        { guard: 'wantsAll', ...releaseAll },
        { guard: and(['autoRelease', 'isFirstList']), ...releaseAll },
        { target: 'choosing', actions: beginsCountdown },
      ],
    },

    choosing: {
      description:
        'The session is open; costs and balance come in, and the same badge again releases all that fits.',
      ...upkeep,
      // With autoRelease what comes in while its owner still stands there needs no second badge.
      always: { guard: and(['awaitsFirst', 'offersSomething']), ...releaseAll },
      invoke: {
        src: 'quote',
        input: ({ context }) => ({
          session: required(context.session, 'session'),
          documents: releasableOf(context),
          quoted: context.quotes.length,
        }),
      },
      on: {
        QUOTED: {
          actions: assign(({ context, event }) => ({ quotes: [...context.quotes, event.quote] })),
        },
        CARD: [
          { guard: { type: 'isSameCardAndReleasable', params: cardOf }, ...releaseAll },
          looksAgain,
          { ...leaves, guard: sameCard },
          nextPerson,
        ],
        RELEASE: { ...chosen, target: 'releasing' },
        DELETE: discards,
        CHANGE: changes,
        DELETION_REFUSED: {
          guard: isOwn,
          target: 'listing',
          actions: { type: 'noteApology', params: problemOf },
        },
        PRINT_AGAIN: { ...printAgain, target: 'releasing' },
        IT_IS_THERE: isThere,
        LOGOUT: logsOut,
        ACTIVITY: staysOn,
        WALKED_AWAY: timesOut,
      },
      after: {
        noticeTime: { actions: assign({ notice: undefined }) },
        firstDocuments: { guard: 'awaitsFirst', ...closes },
      },
    },

    releasing: {
      description:
        'The releases are at the desk; when the last has ended, the session is over, or the next choice comes.',
      entry: [assign({ awaitsFirst: false }), ...handOver, ...beginsCountdown],
      exit: 'stopCountdown',
      always: [
        {
          guard: ({ context }) => context.releasing.length === 0 && !context.wantsAll,
          target: 'listing',
        },
      ],
      on: {
        RELEASE_ENDED: [
          {
            guard: { type: 'isLastOfAll', params: ({ event }) => event },
            actions: [...ended, 'sayAllEnded'],
          },
          { guard: isOwn, actions: [...ended, ...beginsCountdown] },
        ],
        // A step of its own: how the last one ended is shown before the session closes.
        ALL_ENDED: { guard: { type: 'isOver', params: ({ event }) => event }, ...closes },
        PROGRESS: { guard: isOwn, actions: beginsCountdown },
        STAGES: { guard: isOwn, actions: { type: 'noteStages', params: ({ event }) => event } },
        QUEUED: {
          guard: isOwn,
          actions: assign({ before: ({ event }) => event.before }),
        },
        RELEASE: { ...chosen, actions: [...chosen.actions, ...handOver] },
        DELETION_REFUSED: { guard: isOwn, actions: { type: 'noteApology', params: problemOf } },
        PRINT_AGAIN: { ...printAgain, actions: [...printAgain.actions, ...handOver] },
        IT_IS_THERE: isThere,
        LOGOUT: logsOut,
        ACTIVITY: staysOn,
        WALKED_AWAY: timesOut,
        CARD: [{ ...leaves, guard: sameCard }, nextPerson],
      },
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
          changes: noChanges,
          dealtWith: new Set<string>(),
          isLookAskedFor: false,
          quotes: [],
          wantsAll: false,
          awaitsFirst: false,
          wishes: [],
          releasing: [],
          progress: [],
          before: 0,
          generation: context.generation + 1,
        })),
        'stopCountdown',
        'liftLimit',
      ],
      always: [
        { guard: ({ context }) => context.end === 'stopped', target: 'stopped' },
        { guard: ({ context }) => context.isRelayed, target: 'relaying' },
        { guard: and([hasNext, 'asksPin']), target: 'askingPin' },
        { guard: hasNext, target: 'authenticating' },
        { guard: ({ context }) => context.authorized, target: 'prompting' },
        { target: 'outOfService' },
      ],
    },

    stopped: { type: 'final', description: 'The agent ends; no badge is taken any more.' },
  },
});
