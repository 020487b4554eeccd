/**
 * The way of an unknown badge if its registration is offered: its holder signs in, and it becomes theirs
 * (src/cloud/README.md 6). The file has the states of `machine.ts` for that, and the call. The sign-in is sent once,
 * because it may spend a one-time password. The registration call may arrive several times, so it is repeated if its
 * answer was lost. A refused badge looks the same whether it is unknown or its PIN was wrong (T09).
 */
import { assign } from 'xstate';
import { milliseconds, seconds } from '../core/duration.ts';
import { required } from '../core/required.ts';
import type { Env } from '../domain/env.ts';
import type { CallerOptions } from '../domain/ports/call.ts';
import type { Users } from '../domain/ports/service.ts';
import { isProblem, isUnsettled, Problem } from '../domain/problem/problem.ts';
import { logFailure, serviceFailure } from '../domain/problem/service-failure.ts';
import {
  apologise,
  endBy,
  leaves,
  logsOut,
  nextPerson,
  opensSession,
  timesOut,
  withdrawn,
} from './endings.ts';
import type { Calls } from './given.ts';
import * as say from './notices.ts';
import { terminalSetup } from './setup.ts';

export const enrolling = terminalSetup.createStateConfig({
  always: withdrawn,
  on: {
    card: [{ ...leaves, guard: 'isSameCard' }, nextPerson],
    enrol: [
      {
        // It was offered a moment ago.
        guard: ({ context }) => !context.given.settings().login.enrollment,
        target: 'leaving',
        actions: ['noteRefusal', { type: 'tellNotOffered', params: { way: 'password' } }, endBy('error')],
      },
      {
        guard: 'isShown',
        target: 'signingIn',
        actions: {
          type: 'takeCredentials',
          params: ({ event: { userName, password } }) => ({
            credentials: { kind: 'password', userName, password },
          }),
        },
      },
    ],
    'log-out': logsOut,
    'still-there': { guard: 'isShown', target: 'enrolling', reenter: true },
  },
  after: { enrolTime: timesOut, noticeTime: { actions: 'forgetNotice' } },
});

export const signingIn = terminalSetup.createStateConfig({
  on: { card: [{ guard: 'isSameCard' }, nextPerson], 'log-out': logsOut },
  invoke: {
    src: 'login',
    input: ({ context: { given, credentials } }) => ({
      calls: given.calls,
      credentials: required(credentials, 'credentials'),
    }),
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
      {
        target: 'leaving',
        actions: [
          apologise,
          assign(({ context: { notice } }) => ({
            notice: notice && { ...notice, sentence: `${notice.sentence} Your card was not registered.` },
          })),
          endBy('error'),
        ],
      },
    ],
  },
  after: {
    patience: { actions: 'noteSlow' },
    callLimit: {
      target: 'leaving',
      actions: [
        {
          type: 'apologise',
          params: () => ({ error: new Problem('login-unanswered', 'the sign-in never came to an end') }),
        },
        endBy('error'),
      ],
    },
  },
  exit: 'endCall',
});

/** As far as is known, the badge still has no owner. */
const withoutCard = (error: unknown) => ({
  card: undefined,
  notice: isUnsettled(error) ? say.perhapsRegistered : say.notRegistered,
});

export const registering = terminalSetup.createStateConfig({
  on: { card: [{ guard: 'isSameCard' }, nextPerson], 'log-out': logsOut },
  invoke: {
    src: 'registerCard',
    input: ({ context: { given, session, card } }) => ({
      calls: given.calls,
      session: required(session, 'session'),
      card: required(card, 'card'),
    }),
    onDone: {
      target: 'listing',
      actions: assign(({ context: { session, card } }) => ({
        session: { ...required(session, 'session'), card: required(card, 'card') },
        notice: say.registered,
      })),
    },
    onError: { target: 'listing', actions: assign(({ event }) => withoutCard(event.error)) },
  },
  after: {
    patience: { actions: 'noteSlow' },
    callLimit: { target: 'listing', actions: assign(withoutCard(undefined)) },
  },
  exit: 'endCall',
});

const mostTries = 3;
const pause = milliseconds(500);
/** For all tries together. Shorter than the machine's own limit of a call. */
const limit = seconds(25);

export interface RegistrationDeps extends Pick<Env, 'clock' | 'chance' | 'log'> {
  readonly users: Pick<Users, 'enrolCard'>;
}

export const cardRegistration =
  (deps: RegistrationDeps): Calls['registerCard'] =>
  async ({ session, card }, { signal }) => {
    const { log } = deps;
    const { user, token } = session.login;
    const options = { token, signal: deps.clock.deadline(limit, signal) };
    try {
      await untilSettled(() => deps.users.enrolCard(user, card, options), options, deps);
      log.info('card registered', { sessionId: session.id });
    } catch (error) {
      const facts = { sessionId: session.id };
      if (!signal.aborted) logFailure(log, 'card not registered', serviceFailure(error), facts);
      throw error;
    }
  };

/** Repeats a call that may arrive twice, until the service has answered. */
export async function untilSettled(
  call: () => Promise<void>,
  { signal }: CallerOptions,
  { clock, chance }: Pick<RegistrationDeps, 'clock' | 'chance'>,
): Promise<void> {
  let doubt: unknown;
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      // This answer is definite, whatever happened to the tries before.
      if (isProblem(error) && error.delivery === 'answered') throw error;
      if (isUnsettled(error)) doubt = error;
      if (tries === mostTries || signal.aborted) throw doubt ?? error;
      await clock.sleep(chance.jitter(pause, 1), { signal });
    }
  }
}
