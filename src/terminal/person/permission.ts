/**
 * Whether the person who is signed in may print at this terminal's printer, as the service says. It is asked once per
 * session, beside the list, which waits only for an unnoticeable moment. A later answer counts from then on. If the
 * service gives no answer, everything is as if it had not been asked.
 */
import { milliseconds } from '../../core/duration.ts';
import type { Env } from '../../domain/env.ts';
import type { PermittedPorts } from '../../domain/ports/service.ts';
import { serviceFailure } from '../../domain/problem/service-failure.ts';
import type { Session } from '../given.ts';

/** The call may first have to open a connection of its own. */
const grace = milliseconds(200);

export interface PrintPermissionDeps extends Pick<Env, 'clock' | 'log'> {
  readonly ports: PermittedPorts;
  /** The terminal's output port; `undefined` while it is not known. */
  port(): number | undefined;
  onRefusal(sessionId: string): void;
}

interface Asked {
  readonly sessionId: string;
  readonly left: AbortController;
  readonly refusal: Promise<boolean>;
}

export class PrintPermission {
  readonly #deps: PrintPermissionDeps;
  #asked: Asked | undefined;

  constructor(deps: PrintPermissionDeps) {
    this.#deps = deps;
  }

  /** Asks the service, if that has not been done in this session. */
  ask(session: Session): Promise<boolean> {
    if (this.#asked?.sessionId === session.id) return this.#asked.refusal;
    this.forget();
    const left = new AbortController();
    const refusal = this.#isRefused(session, left.signal);
    this.#asked = { sessionId: session.id, left, refusal };
    return refusal;
  }

  /** Uses the answer that is there, or that comes within a moment. */
  async isRefused(session: Session): Promise<boolean> {
    if (this.#deps.port() === undefined) return false;
    const said = new AbortController();
    const wait = this.#deps.clock.sleep(grace, { signal: said.signal });
    const isLate = wait.then(
      () => false,
      () => false,
    );
    try {
      return await Promise.race([this.ask(session), isLate]);
    } finally {
      said.abort();
    }
  }

  /** The session is over. */
  forget(): void {
    this.#asked?.left.abort();
    this.#asked = undefined;
  }

  async #isRefused({ id: sessionId, login }: Session, signal: AbortSignal): Promise<boolean> {
    const { ports, log, onRefusal } = this.#deps;
    const port = this.#deps.port();
    if (port === undefined) return false;
    try {
      const mayPrint = await ports.include(port, login, { signal });
      if (mayPrint || signal.aborted) return false;
      log.info('printer not permitted', { sessionId });
      onRefusal(sessionId);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      const { code, message: detail } = serviceFailure(error);
      log.debug('print permission not said', { sessionId, code, detail });
      return false;
    }
  }
}
