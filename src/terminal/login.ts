/**
 * From a badge, or from typed words, to a session: the states of `machine.ts` in between. `registration.ts` has the way
 * of an unknown badge. `admission.ts` decides whether the service is asked at all.
 */
import { assign } from 'xstate';
import { required } from '../core/required.ts';
import { isProblem } from '../domain/problem/problem.ts';
import type { TerminalContext } from './context.ts';
import {
  apologise,
  leaves,
  logsOut,
  nextPerson,
  opensSession,
  takeCard,
  timesOut,
  withdrawn,
} from './endings.ts';
import { pinRefused } from './notices.ts';
import { terminalSetup } from './setup.ts';

/** A badge is held while the terminal is free. */
export const begins = [
  { guard: 'asksPin', target: 'askingPin', actions: takeCard },
  { target: 'authenticating', actions: takeCard },
] as const;

export const prompting = terminalSetup.createStateConfig({
  always: { guard: 'isWithdrawn', target: 'outOfService' },
  on: {
    card: begins,
    // Typed words instead of a badge. A way that is not offered does nothing, no matter how the word came.
    'log-in': [
      {
        guard: ({ context: { generation, given }, event }) =>
          event.generation === generation && given.settings().login.ways.includes(event.credentials.kind),
        target: 'authenticating',
        actions: { type: 'takeCredentials', params: ({ event: { credentials } }) => ({ credentials }) },
      },
      {
        guard: 'isShown',
        target: 'prompting',
        reenter: true,
        actions: [
          'noteRefusal',
          { type: 'tellNotOffered', params: ({ event }) => ({ way: event.credentials.kind }) },
        ],
      },
    ],
  },
  after: { noticeTime: { actions: 'forgetNotice' } },
});

export const askingPin = terminalSetup.createStateConfig({
  always: withdrawn,
  on: {
    card: [{ ...leaves, guard: 'isSameCard' }, nextPerson],
    pin: {
      guard: 'isShown',
      target: 'authenticating',
      actions: {
        type: 'takeCredentials',
        params: ({ context, event }) => ({
          credentials: { kind: 'card', card: required(context.card, 'card'), password: event.pin },
        }),
      },
    },
    'log-out': logsOut,
    'still-there': { guard: 'isShown', target: 'askingPin', reenter: true },
  },
  after: { pinTime: timesOut },
});

export const authenticating = terminalSetup.createStateConfig({
  on: {
    // The call answers soon, whatever the person does with the badge.
    card: [{ guard: 'isSameCard' }, nextPerson],
    'log-out': logsOut,
  },
  invoke: {
    src: 'login',
    input: ({ context: { given, credentials, card } }) => ({
      calls: given.calls,
      credentials: credentials ?? { kind: 'card', card: required(card, 'card') },
    }),
    onDone: { target: 'listing', actions: opensSession },
    onError: [
      {
        guard: ({ context, event }) => isRefusedPin(context, event.error),
        target: 'askingPin',
        actions: assign(({ context: { pinTries } }) => ({
          pinTries: pinTries + 1,
          notice: pinRefused(pinTries + 1),
        })),
      },
      {
        // A sign-in may give the badge an owner.
        guard: ({ context, event }) =>
          context.given.settings().login.enrollment && isRefusedBadge(context, event.error),
        target: 'enrolling',
      },
      { target: 'prompting', actions: [apologise, 'forgetCard'] },
    ],
  },
  after: {
    patience: { actions: 'noteSlow' },
    callLimit: { target: 'prompting', actions: 'forgetCard' },
  },
  exit: 'endCall',
});

/** Refused by the service or by the lock-out. The person is not told by which, or why (T09). */
const isRefused = (error: unknown): boolean => isProblem(error, 'login-refused', 'login-locked');

const isRefusedBadge = ({ card }: TerminalContext, error: unknown): boolean =>
  card !== undefined && isRefused(error);

/** The PIN was wrong, the badge is locked out, or the badge is unknown. The holder sees no difference (T09). */
const isRefusedPin = ({ credentials }: TerminalContext, error: unknown): boolean =>
  credentials?.kind === 'card' && credentials.password !== undefined && isRefused(error);
