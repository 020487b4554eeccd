/**
 * Makes a badge the badge of whoever has signed in with it in hand (api-supplement.md 6). The call says the same however
 * often it arrives, so it is made again where its answer was lost; the sign-in before it never is.
 */
import { fromPromise } from 'xstate';
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import { milliseconds, seconds } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import type { CardNumber } from '../domain/card/card-number.ts';
import type { CallerOptions } from '../domain/ports/call.ts';
import type { Users } from '../domain/ports/service.ts';
import { isProblem, isUnsettled } from '../domain/problem/problem.ts';
import { logFailure, serviceFailure } from '../domain/problem/service-failure.ts';
import type { Session } from './context.ts';

const mostTries = 3;
const pause = milliseconds(500);
/** All tries together; below the machine's own limit of a call. */
const limit = seconds(25);

export interface CardEnrolmentParts {
  readonly users: Pick<Users, 'enrolCard'>;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
}

export const cardEnrolment = (parts: CardEnrolmentParts) =>
  fromPromise<void, { session: Session; card: CardNumber }>(async ({ input: { session, card }, signal }) => {
    const { log } = parts;
    const { user, token } = session.login;
    const options = { token, signal: parts.clock.deadline(limit, signal) };
    try {
      await untilSettled(() => parts.users.enrolCard(user, card, options), options, parts);
      log.info('card registered', { sessionId: session.id });
    } catch (error) {
      const facts = { sessionId: session.id };
      if (!signal.aborted) logFailure(log, 'card not registered', serviceFailure(error), facts);
      throw error;
    }
  });

async function untilSettled(
  call: () => Promise<void>,
  { signal }: CallerOptions,
  { clock, chance }: CardEnrolmentParts,
): Promise<void> {
  let doubt: unknown;
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      // It did not, whatever became of the tries before.
      if (isProblem(error) && error.delivery === 'answered') throw error;
      if (isUnsettled(error)) doubt = error;
      if (tries === mostTries || signal.aborted) throw doubt ?? error;
      await clock.sleep(chance.jitter(pause, 1), { signal });
    }
  }
}
