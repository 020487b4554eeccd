/**
 * From a badge, or from typed words, to a session: the states of `machine.ts` in between. `registration.ts` has the way
 * of an unknown badge. `admission.ts` decides whether the service is asked at all.
 */
import { required } from '../core/required.ts';
import type { Secret } from '../core/secret.ts';
import { isProblem } from '../domain/problem/problem.ts';
import type { Said } from '../domain/terminal/persons-word.ts';
import type { TerminalContext } from './context.ts';
import type { In, Told } from './endings.ts';
import {
  apologise,
  errorOf,
  isShown,
  leaves,
  logsOut,
  nextPerson,
  opensSession,
  sameCard,
  takeCard,
  timesOut,
  withdrawn,
} from './endings.ts';

const wayOf = ({ event: { generation, credentials } }: Told<Said<'log-in'>>) => ({
  generation,
  way: credentials.kind,
});

/** A badge is held while the terminal is free. */
export const begins = [
  { guard: 'asksPin', target: 'askingPin', actions: takeCard },
  { target: 'authenticating', actions: takeCard },
] as const;

/** Typed words instead of a badge. A way that is not offered does nothing, no matter how the word came. */
export const logsIn = [
  {
    guard: { type: 'isOffered', params: wayOf },
    target: 'authenticating',
    actions: {
      type: 'takeCredentials',
      params: ({ event }: Told<Said<'log-in'>>) => ({ credentials: event.credentials }),
    },
  },
  {
    guard: isShown,
    target: 'prompting',
    reenter: true,
    actions: ['noteRefusal', { type: 'tellNotOffered', params: wayOf }],
  },
] as const;

const withPin = ({ context, event }: Told<{ readonly pin: Secret }>) => ({
  credentials: { kind: 'card' as const, card: required(context.card, 'card'), password: event.pin },
});

export const askingPin = {
  description: 'The badge alone opens nothing: its PIN is waited for.',
  always: withdrawn,
  on: {
    card: [{ ...leaves, guard: sameCard }, nextPerson],
    pin: {
      guard: isShown,
      target: 'authenticating',
      actions: { type: 'takeCredentials', params: withPin },
    },
    'log-out': logsOut,
    'still-there': { guard: isShown, target: 'askingPin', reenter: true },
  },
  after: { pinTime: timesOut },
} as const;

export const authenticating = {
  description: 'The service is asked who it is.',
  on: {
    // The call answers soon, whatever the person does with the badge.
    card: [{ guard: sameCard }, nextPerson],
    'log-out': logsOut,
  },
  invoke: {
    src: 'login',
    input: ({ context }: In) => ({
      credentials: context.credentials ?? { kind: 'card' as const, card: required(context.card, 'card') },
    }),
    onDone: { target: 'listing', actions: opensSession },
    onError: [
      { guard: { type: 'isRefusedPin', params: errorOf }, target: 'askingPin', actions: 'notePinRefusal' },
      { guard: { type: 'leadsToEnrolment', params: errorOf }, target: 'enrolling' },
      { target: 'prompting', actions: [apologise, 'forgetCard'] },
    ],
  },
  after: {
    patience: { actions: 'noteSlow' },
    callLimit: { target: 'prompting', actions: 'forgetCard' },
  },
  exit: 'endCall',
} as const;

/** Refused by the service or by the lock-out. The person is not told by which, or why (T09). */
export const isRefusedBadge = ({ card }: TerminalContext, error: unknown): boolean =>
  card !== undefined && isProblem(error, 'login-refused', 'login-locked');

/** The PIN was wrong, the badge is locked out, or the badge is unknown. The holder sees no difference (T09). */
export const isRefusedPin = ({ credentials }: TerminalContext, error: unknown): boolean =>
  credentials?.kind === 'card' &&
  credentials.password !== undefined &&
  isProblem(error, 'login-refused', 'login-locked');
