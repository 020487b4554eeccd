/**
 * Decides whether a person is let in at one terminal. Impossible credentials and locked-out persons are refused without
 * asking the service. The refusal has the same words and takes the same time as a refusal by the service itself
 * (INVARIANTS.md T09). The log gets the kind and the reason, and never the person.
 */
import { inSeconds } from '../core/duration.ts';
import type { Env } from '../domain/env.ts';
import type { LockedBy, LockOut, Verdict } from '../domain/lock-out.ts';
import { isPlausible, wayOf, wipe } from '../domain/login.ts';
import type { CallOptions } from '../domain/ports/call.ts';
import type { Logins } from '../domain/ports/service.ts';
import { isProblem, isUnsettled, Problem } from '../domain/problem/problem.ts';
import { logFailure, serviceFailure } from '../domain/problem/service-failure.ts';
import type { Credentials, Login } from '../domain/user.ts';

export interface AdmissionDeps extends Pick<Env, 'clock' | 'log' | 'conditions'> {
  readonly terminal: string;
  readonly logins: Logins;
  /** Shared by the whole agent. */
  readonly lockOut: LockOut;
  /** Aborts when the terminal ends. */
  readonly stopped: AbortSignal;
}

/** Rejects with the `Problem` for the person. The secret of the credentials is wiped afterwards in every case. */
export type Admit = (credentials: Credentials, options: CallOptions) => Promise<Login>;

const subject = 'login';

class LockedOut extends Problem {
  readonly by: LockedBy;

  constructor(by: LockedBy) {
    super('login-locked', `too many refusals of this ${by}: the service was not asked`);
    this.by = by;
  }
}

/** The login may have reached the service, so a one-time password may be spent. */
const unanswered = (cause: unknown) =>
  new Problem('login-unanswered', 'no answer to a login with a password', { cause, delivery: 'perhaps' });

function verdictOf(error: unknown, { signal }: CallOptions): Verdict {
  if (isProblem(error, 'login-refused')) return 'refused';
  return signal.aborted ? 'given-up' : 'unknown';
}

export function createAdmission(deps: AdmissionDeps): Admit {
  const { terminal, logins, lockOut, conditions, clock, log } = deps;

  async function judged(credentials: Credentials, options: CallOptions): Promise<Login> {
    if (!isPlausible(credentials)) {
      await clock.sleep(lockOut.refusalTakes(wayOf(credentials)), options);
      throw new Problem(
        'login-refused',
        'nobody can have the typed number or name, so Platen did not ask the service',
      );
    }
    const trial = lockOut.begin({ terminal, credentials }, clock.monotonic());
    if (trial.lockedBy) {
      await clock.sleep(trial.refusalTakes, options);
      throw new LockedOut(trial.lockedBy);
    }
    const end = (verdict: Verdict) => trial.end(verdict, clock.monotonic());
    try {
      const login = await logins.login(credentials, options);
      end('accepted');
      return login;
    } catch (error) {
      end(verdictOf(error, options));
      tellPause();
      throw credentials.kind === 'password' && isUnsettled(error) ? unanswered(error) : error;
    }
  }

  let isTold = false;
  function tellPause(): void {
    const pause = lockOut.terminalPause(terminal, clock.monotonic());
    if (pause === undefined || isTold) return;
    isTold = true;
    const detail = `too many logins were refused here; nobody is let in for ${Math.ceil(inSeconds(pause))} s`;
    conditions.raise({ code: 'login-locked', severity: 'warning', scope: terminal, subject, detail });
    const isOver = () => {
      isTold = false;
      conditions.clear(terminal, subject);
    };
    clock.sleep(pause, { signal: deps.stopped }).then(isOver, isOver);
  }

  return async (credentials, options) => {
    const way = wayOf(credentials);
    try {
      return await judged(credentials, options);
    } catch (error) {
      const problem = serviceFailure(error);
      const locked = problem instanceof LockedOut ? { locked: problem.by } : {};
      // After another badge this person is told no more.
      if (!options.signal.aborted) logFailure(log, 'login failed', problem, { way, ...locked });
      throw problem;
    } finally {
      wipe(credentials);
    }
  };
}
