/**
 * One terminal's conversation with the person in front of it. It may end at any moment without losing or stopping a
 * print, because releases live at the desk. The first badge opens the session, and the same badge again releases
 * everything; with autoRelease the first badge does both. What a state answers to is in the file that it comes from.
 */
import type { SnapshotFrom } from 'xstate';
import { and, assign, cancel } from 'xstate';
import { outcomesOf } from './session-progress.ts';
import { choosing } from './choosing.ts';
import { contextOf, nobody } from './context.ts';
import type { In } from './endings.ts';
import { endBy, wordsOutOfPlace } from './endings.ts';
import { refusedHere } from './list.ts';
import { askingPin, authenticating, prompting } from './login.ts';
import { account } from './person/account.ts';
import { speaks } from './person/language.ts';
import { enrolling, registering, signingIn } from './registration.ts';
import { relaying } from './relay.ts';
import { listed, listing, releasing } from './session.ts';
import { terminalSetup } from './setup.ts';

export const terminalMachine = terminalSetup.createMachine({
  id: 'terminal',
  context: ({ input }) => contextOf(input),
  initial: 'outOfService',
  states: {
    outOfService: {
      description: 'Nobody can be logged in: the service has not authorized this device, or no longer does.',
      // A badge that ended a session does not begin the next one.
      entry: 'forgetCard',
      always: { guard: ({ context }) => context.authorized, target: 'prompting' },
      on: {
        card: { actions: 'tellCardIgnored' },
        'card-unreadable': { actions: 'tellCardIgnored' },
      },
      after: { noticeTime: { actions: 'forgetNotice' } },
    },

    prompting: { description: 'The terminal waits for a badge.', ...prompting },

    askingPin: { description: 'The badge alone opens nothing: its PIN is waited for.', ...askingPin },

    authenticating: { description: 'The service is asked who it is.', ...authenticating },

    enrolling: {
      description: 'The badge waits for its holder to sign in, so that it can become theirs.',
      ...enrolling,
    },

    signingIn: {
      description: 'The service is asked whether the holder of the unknown badge is who they say.',
      ...signingIn,
    },

    registering: {
      description:
        'The badge becomes the badge of the signed-in person. If that fails, the person stays signed in.',
      ...registering,
    },

    relaying: {
      description: 'The service is told of a badge, and lets out the documents by itself.',
      ...relaying,
    },

    listing: { description: 'The READY documents of the person are fetched.', ...listing },

    listed: {
      description: 'The documents that may be printed, or need a question, decide how the session continues.',
      ...listed,
    },

    choosing: {
      description:
        'The session is open; costs and balance come in, and the same badge again releases all that fits.',
      ...choosing,
    },

    releasing: {
      description:
        'The releases are at the desk; when the last has ended, the session is over, or the next choice comes.',
      ...releasing,
    },

    account: { description: 'The person looks at their own account.', ...account },

    leaving: {
      description: 'Platen drops the data of the person before it greets another person (I3).',
      entry: [
        ({ context: { given, session, end, isEnding, progress } }) => {
          if (!session) return;
          const facts = { sessionId: session.id, reason: end, ...outcomesOf(progress) };
          given.log.info('session closed', facts);
          given.forget(session, { isEnding });
        },
        assign(({ context }) => ({ ...nobody, generation: context.generation + 1 })),
        'stopCountdown',
        cancel('limit'),
      ],
      always: [
        { guard: ({ context }) => context.isEnding, target: 'stopped' },
        { guard: ({ context }) => context.isRelayed, target: 'relaying' },
        { guard: and([hasNext, 'asksPin']), target: 'askingPin' },
        { guard: hasNext, target: 'authenticating' },
        { guard: ({ context }) => context.authorized, target: 'prompting' },
        { target: 'outOfService' },
      ],
    },

    stopped: { type: 'final', description: 'The agent ends; no badge is taken any more.' },
  },
  on: {
    authorized: { actions: assign({ authorized: true }) },
    unauthorized: { actions: assign({ authorized: false }) },
    // Another gateway may serve the terminal from now on. Wishes go on, and the conversation is over.
    'hold-lost': { target: '.leaving', actions: [assign({ authorized: false }), endBy('stopped')] },
    service: [
      // The notice about the absent service goes when the service is back.
      {
        guard: ({ context, event }) => context.cloud === 'down' && event.state !== 'down',
        actions: assign({ cloud: ({ event }) => event.state, notice: undefined }),
      },
      { actions: assign({ cloud: ({ event }) => event.state }) },
    ],
    readers: { actions: assign({ readers: ({ event }) => event.state }) },
    // An open session ends (I3), also while no badge is relayed.
    'card-relayed': [
      { guard: 'isWithdrawn', target: '.leaving', actions: endBy('badge') },
      { target: '.leaving', actions: [endBy('badge'), assign({ isRelayed: true, notice: undefined })] },
    ],
    STOP: { target: '.leaving', actions: [assign({ isEnding: true }), endBy('stopped')] },
    TOO_LONG: { target: '.leaving', actions: endBy('timeout') },
    // The badge of another person, even if its owner is not known.
    'card-unreadable': {
      target: '.leaving',
      actions: [{ type: 'apologise', params: ({ event }) => ({ error: event.problem }) }, endBy('badge')],
    },
    // As if the owner had pressed the button.
    'card-removed': { guard: 'isSameCard', target: '.leaving', actions: endBy('logout') },
    ...wordsOutOfPlace,
    language: speaks,
    REFUSED_HERE: { guard: 'isOwn', actions: assign(({ context }) => refusedHere(context)) },
  },
});

export type TerminalSnapshot = SnapshotFrom<typeof terminalMachine>;

/** The state of a terminal in one word. Other files need not know the states within it. */
export const stateOf = ({ value }: Pick<TerminalSnapshot, 'value'>): string =>
  typeof value === 'string' ? value : (Object.keys(value)[0] ?? '');

/** A person who ended the session before by a badge waits to be served. */
function hasNext({ context }: In): boolean {
  return context.card !== undefined && context.authorized;
}
