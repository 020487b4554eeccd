/**
 * What an unknown badge leads to where its enrolment is offered: its holder signs in, and it becomes theirs
 * (api-supplement.md 6). The states of `terminal.ts` for that. The sign-in is sent once, because a one-time password
 * may be spent by it. A refused badge looks the same whether it is unknown or its PIN was wrong (T09).
 */
import { assign, not } from 'xstate';
import { isProblem, Problem } from '../domain/problem/problem.ts';
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
  timesOut,
} from './endings.ts';
import { withdrawn } from './login.ts';
import { required } from './context.ts';
import { terminalSetup } from './setup.ts';

const neverAnswered = () => ({ error: new Problem('login-unanswered', 'the sign-in never came to an end') });

export const enrolling = terminalSetup.createStateConfig({
  description: 'The badge waits for its holder to sign in, so that it can become theirs.',
  always: withdrawn,
  on: {
    CARD: [{ ...leaves, guard: sameCard }, nextPerson],
    ENROL: [
      {
        guard: not('offersEnrolment'),
        target: 'leaving',
        actions: ['noteRefusal', { type: 'tellNotOffered', params: { way: 'password' } }, endBy('error')],
      },
      {
        guard: isShown,
        target: 'signingIn',
        actions: {
          type: 'takeCredentials',
          params: ({ event: { userName, password } }) => ({
            credentials: { kind: 'password', userName, password },
          }),
        },
      },
    ],
    LOGOUT: logsOut,
    ACTIVITY: { guard: isShown, target: 'enrolling', reenter: true },
  },
  after: { enrolTime: timesOut, noticeTime: { actions: assign({ notice: undefined }) } },
});

export const signingIn = terminalSetup.createStateConfig({
  description: 'The service is asked whether the holder of the unknown badge is who they say.',
  on: { CARD: [{ guard: sameCard }, nextPerson], LOGOUT: logsOut },
  invoke: {
    src: 'login',
    input: ({ context }) => ({ credentials: required(context.credentials, 'credentials') }),
    onDone: { target: 'registering', actions: opensSession },
    onError: [
      {
        guard: ({ event }) => isProblem(event.error, 'login-refused', 'login-unanswered'),
        target: 'enrolling',
        actions: apologise,
      },
      {
        guard: ({ event }) => isProblem(event.error, 'login-locked'),
        target: 'leaving',
        actions: [apologise, endBy('error')],
      },
      { target: 'leaving', actions: [apologise, 'noteNotRegistered', endBy('error')] },
    ],
  },
  after: {
    patience: { actions: assign({ isSlow: true }) },
    callLimit: {
      target: 'leaving',
      actions: [{ type: 'noteApology', params: neverAnswered }, endBy('error')],
    },
  },
  exit: 'endCall',
});

export const registering = terminalSetup.createStateConfig({
  description:
    'The badge becomes the badge of whoever has signed in; without it they are signed in all the same.',
  on: { CARD: [{ guard: sameCard }, nextPerson], LOGOUT: logsOut },
  invoke: {
    src: 'enrolCard',
    input: ({ context }) => ({
      session: required(context.session, 'session'),
      card: required(context.card, 'card'),
    }),
    onDone: { target: 'listing', actions: 'takeCardOver' },
    onError: { target: 'listing', actions: { type: 'giveCardUp', params: errorOf } },
  },
  after: {
    patience: { actions: assign({ isSlow: true }) },
    callLimit: { target: 'listing', actions: { type: 'giveCardUp', params: { error: undefined } } },
  },
  exit: 'endCall',
});
