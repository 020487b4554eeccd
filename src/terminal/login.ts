/**
 * From a badge, or from typed words, to a session: the states of `terminal.ts` between them. What an unknown badge
 * leads to is in `terminal-enrolment.ts`; whether the service is asked at all, in `admission.ts`.
 */
import { assign } from 'xstate';
import { logsOut } from './choice.ts';
import {
  apologise,
  endBy,
  errorOf,
  isShown,
  leaves,
  nextPerson,
  opensSession,
  sameCard,
  takeCard,
  timesOut,
} from './endings.ts';
import type { TypedLogin } from './events.ts';
import { required } from './context.ts';
import { terminalSetup } from './setup.ts';

const typedOf = ({ event: { generation, credentials } }: { event: TypedLogin }) => ({
  generation,
  way: credentials.kind,
});

/** Nobody can be logged in any more. */
export const withdrawn = {
  guard: 'isWithdrawn',
  target: 'leaving',
  actions: endBy('error'),
} as const;

/** A badge is held, and nobody is here. */
export const begins = [
  { guard: 'asksPin', target: 'askingPin', actions: takeCard },
  { target: 'authenticating', actions: takeCard },
] as const;

/** Words instead of a badge; what is not offered is not done, whoever says it. */
export const logsIn = [
  {
    guard: { type: 'isOffered', params: typedOf },
    target: 'authenticating',
    actions: {
      type: 'takeCredentials',
      params: ({ event }: { event: TypedLogin }) => ({ credentials: event.credentials }),
    },
  },
  {
    guard: isShown,
    target: 'prompting',
    reenter: true,
    actions: ['noteRefusal', { type: 'tellNotOffered', params: typedOf }],
  },
] as const;

export const askingPin = terminalSetup.createStateConfig({
  description: 'The badge alone opens nothing: its PIN is waited for.',
  always: withdrawn,
  on: {
    CARD: [{ ...leaves, guard: sameCard }, nextPerson],
    PIN: {
      guard: isShown,
      target: 'authenticating',
      actions: {
        type: 'takeCredentials',
        params: ({ context, event }) => ({
          credentials: { kind: 'card', card: required(context.card, 'card'), password: event.pin },
        }),
      },
    },
    LOGOUT: logsOut,
    ACTIVITY: { guard: isShown, target: 'askingPin', reenter: true },
  },
  after: { pinTime: timesOut },
});

export const authenticating = terminalSetup.createStateConfig({
  description: 'The service is asked who it is.',
  on: {
    // It answers in a moment, whatever the person does with the badge.
    CARD: [{ guard: sameCard }, nextPerson],
    LOGOUT: logsOut,
  },
  invoke: {
    src: 'login',
    input: ({ context }) => ({
      credentials: context.credentials ?? { kind: 'card', card: required(context.card, 'card') },
    }),
    onDone: { target: 'listing', actions: opensSession },
    onError: [
      { guard: { type: 'isRefusedPin', params: errorOf }, target: 'askingPin', actions: 'notePinRefusal' },
      { guard: { type: 'leadsToEnrolment', params: errorOf }, target: 'enrolling' },
      { target: 'prompting', actions: [apologise, assign({ card: undefined })] },
    ],
  },
  after: {
    patience: { actions: assign({ isSlow: true }) },
    callLimit: { target: 'prompting', actions: assign({ card: undefined }) },
  },
  exit: 'endCall',
});
