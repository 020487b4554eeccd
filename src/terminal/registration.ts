/**
 * The way of an unknown badge if its registration is offered: its holder signs in, and it becomes theirs
 * (src/cloud/README.md 6). The file has the states of `machine.ts` for that, and the call. The sign-in is sent once,
 * because it may spend a one-time password. The registration call may arrive several times, so it is repeated if its
 * answer was lost. A refused badge looks the same whether it is unknown or its PIN was wrong (T09).
 */
import { fromPromise } from 'xstate';
import { milliseconds, seconds } from '../core/duration.ts';
import { required } from '../core/required.ts';
import type { Secret } from '../core/secret.ts';
import type { Env } from '../domain/env.ts';
import type { CardNumber } from '../domain/card/card-number.ts';
import type { CallerOptions } from '../domain/ports/call.ts';
import type { Users } from '../domain/ports/service.ts';
import { isProblem, isUnsettled, Problem } from '../domain/problem/problem.ts';
import { logFailure, serviceFailure } from '../domain/problem/service-failure.ts';
import type { Session, TerminalContext } from './context.ts';
import type { In } from './endings.ts';
import {
  apologise,
  endBy,
  errorOf,
  isShown,
  leaves,
  logsOut,
  nextPerson,
  opensSession,
  sameCard,
  timesOut,
  withdrawn,
} from './endings.ts';
import * as say from './notices.ts';

interface Failed {
  readonly event: { readonly error: unknown };
}

interface SignIn {
  readonly event: { readonly userName: string; readonly password: Secret };
}

const neverAnswered = () => ({ error: new Problem('login-unanswered', 'the sign-in never came to an end') });

export const enrolling = {
  description: 'The badge waits for its holder to sign in, so that it can become theirs.',
  always: withdrawn,
  on: {
    card: [{ ...leaves, guard: sameCard }, nextPerson],
    enrol: [
      {
        guard: 'offersNoEnrolment',
        target: 'leaving',
        actions: ['noteRefusal', { type: 'tellNotOffered', params: { way: 'password' } }, endBy('error')],
      },
      {
        guard: isShown,
        target: 'signingIn',
        actions: {
          type: 'takeCredentials',
          params: ({ event: { userName, password } }: SignIn) => ({
            credentials: { kind: 'password' as const, userName, password },
          }),
        },
      },
    ],
    'log-out': logsOut,
    'still-there': { guard: isShown, target: 'enrolling', reenter: true },
  },
  after: { enrolTime: timesOut, noticeTime: { actions: 'forgetNotice' } },
} as const;

export const signingIn = {
  description: 'The service is asked whether the holder of the unknown badge is who they say.',
  on: { card: [{ guard: sameCard }, nextPerson], 'log-out': logsOut },
  invoke: {
    src: 'login',
    input: ({ context }: In) => ({
      credentials: required(context.credentials, 'credentials'),
    }),
    onDone: { target: 'registering', actions: opensSession },
    onError: [
      {
        guard: ({ event }: Failed) => isProblem(event.error, 'login-refused', 'login-unanswered'),
        target: 'enrolling',
        actions: apologise,
      },
      {
        guard: ({ event }: Failed) => isProblem(event.error, 'login-locked'),
        target: 'leaving',
        actions: [apologise, endBy('error')],
      },
      { target: 'leaving', actions: [apologise, 'noteNotRegistered', endBy('error')] },
    ],
  },
  after: {
    patience: { actions: 'noteSlow' },
    callLimit: {
      target: 'leaving',
      actions: [{ type: 'noteApology', params: neverAnswered }, endBy('error')],
    },
  },
  exit: 'endCall',
} as const;

export const registering = {
  description:
    'The badge becomes the badge of the signed-in person. If that fails, the person stays signed in.',
  on: { card: [{ guard: sameCard }, nextPerson], 'log-out': logsOut },
  invoke: {
    src: 'registerCard',
    input: ({ context }: In) => ({
      session: required(context.session, 'session'),
      card: required(context.card, 'card'),
    }),
    onDone: { target: 'listing', actions: 'takeCardOver' },
    onError: { target: 'listing', actions: { type: 'giveCardUp', params: errorOf } },
  },
  after: {
    patience: { actions: 'noteSlow' },
    callLimit: { target: 'listing', actions: { type: 'giveCardUp', params: { error: undefined } } },
  },
  exit: 'endCall',
} as const;

const mostTries = 3;
const pause = milliseconds(500);
/** For all tries together. Shorter than the machine's own limit of a call. */
const limit = seconds(25);

export interface RegistrationDeps extends Pick<Env, 'clock' | 'chance' | 'log'> {
  readonly users: Pick<Users, 'enrolCard'>;
}

export const cardRegistration = (deps: RegistrationDeps) =>
  fromPromise<void, { session: Session; card: CardNumber }>(async ({ input: { session, card }, signal }) => {
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
  });

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

type Registered = Pick<TerminalContext, 'session' | 'card' | 'notice'>;

/** The session goes on with the badge. */
export const withCard = ({ session, card }: Registered) => ({
  session: { ...required(session, 'session'), card: required(card, 'card') },
  notice: say.registered,
});

export const withoutRegistration = ({ notice }: Registered) => ({
  notice: notice && { ...notice, sentence: `${notice.sentence} Your card was not registered.` },
});

/** As far as is known, the badge still has no owner. */
export const withoutCard = (error: unknown) => ({
  card: undefined,
  notice: isUnsettled(error) ? say.perhapsRegistered : say.notRegistered,
});
