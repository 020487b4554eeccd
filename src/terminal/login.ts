/**
 * From a badge, or from typed words, to a session: the states of `machine.ts` between them. What an unknown badge leads to
 * is in `registration.ts`; whether the service is asked at all, in `admission.ts`.
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

/** A badge is held, and nobody is here. */
export const begins = [
  { guard: 'asksPin', target: 'askingPin', actions: takeCard },
  { target: 'authenticating', actions: takeCard },
] as const;

/** Words instead of a badge; what is not offered is not done, whoever says it. */
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
    // It answers in a moment, whatever the person does with the badge.
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

/** By the service, or in its stead by the lock-out: no word on which, nor why (T09). */
export const isRefusedBadge = ({ card }: TerminalContext, error: unknown): boolean =>
  card !== undefined && isProblem(error, 'login-refused', 'login-locked');

/** Wrong, or of a badge that is locked out, or of one that nobody knows: all the same to whoever holds it (T09). */
export const isRefusedPin = ({ credentials }: TerminalContext, error: unknown): boolean =>
  credentials?.kind === 'card' &&
  credentials.password !== undefined &&
  isProblem(error, 'login-refused', 'login-locked');
