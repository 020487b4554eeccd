/**
 * Reads the list of output ports: one list for all terminals of this agent, when the device is authorized and hourly
 * after that. If the device token may not read it, the token of the next permitted user is used (contract, section 3).
 */
import type { Duration } from '../../core/duration.ts';
import { hours, minutes, seconds } from '../../core/duration.ts';
import type { Periodic } from '../../core/periodic.ts';
import { runPeriodically, Wake } from '../../core/periodic.ts';
import type { Progress, Service } from '../../core/service.ts';
import type { Env } from '../../domain/env.ts';
import type { Settling, Turn } from '../../domain/settling.ts';
import { longestWindow } from '../../domain/settling.ts';
import type { OutputPort, SoughtPort } from '../../domain/output-port.ts';
import type { OutputPorts } from '../../domain/ports/service.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import { logFailure, serviceFailure } from '../../domain/problem/service-failure.ts';
import type { UserToken } from '../../domain/user.ts';

export interface OutputPortReadingDeps extends Pick<Env, 'clock' | 'chance' | 'log'> {
  readonly ports: OutputPorts;
  sought(): readonly SoughtPort[];
  readonly settling: Settling;
  onList(listed: readonly OutputPort[]): void;
}

/** How long a person, or the start, waits for `autoRelease` in the list. */
const patience = seconds(5);
const retry = { first: seconds(5), factor: 2, longest: minutes(5) };

export class OutputPortReading implements Service {
  readonly name = 'output ports';
  readonly #deps: OutputPortReadingDeps;
  readonly #wake = new Wake();
  readonly #waiting = new Set<() => void>();
  readonly #turn: Turn;
  #deviceDenied = false;
  #offered: UserToken | undefined;

  constructor(deps: OutputPortReadingDeps) {
    this.#deps = deps;
    this.#turn = deps.settling.turn(longestWindow);
  }

  /** Other gateways may go first, because no person waits for it. */
  isPutOff(): boolean {
    return this.#turn.left() > 0;
  }

  /** Reads now. Resolves when the list was read, or could not be; after 5 s in any case. */
  async look(): Promise<void> {
    const { clock } = this.#deps;
    const { promise, resolve } = Promise.withResolvers<void>();
    const limit = clock.setTimeout(resolve, patience);
    this.#waiting.add(resolve);
    this.#turn.take();
    this.#wake.ring();
    await promise;
    this.#waiting.delete(resolve);
    clock.clearTimeout(limit);
  }

  /** A user logged in: if the device token was refused, the list is read with their token. Resolves as `look` does. */
  async offer(token: UserToken): Promise<void> {
    if (!this.#deviceDenied) return;
    this.#offered = token;
    await this.look();
  }

  /** Reads soon; no caller waits for it. */
  readAgain(): void {
    this.#wake.ring();
  }

  run(signal: AbortSignal, progress?: Progress): Promise<void> {
    const duty: Periodic = {
      attempt: (end) => this.#attempt(end),
      interval: hours(1),
      retry,
      wake: this.#wake,
      untilTurn: () => this.#turn.left(),
      onFailure: (error, wait) => this.#waitAfter(error, wait),
    };
    return runPeriodically(duty, this.#deps, signal, progress);
  }

  async #attempt(signal: AbortSignal): Promise<void> {
    try {
      await this.#read(signal);
    } catch (error) {
      // Before approval nothing was asked, so a waiting caller goes on waiting.
      if (!isProblem(error, 'terminal-not-authorized')) this.#tellWaiting();
      throw error;
    }
    this.#tellWaiting();
  }

  async #read(signal: AbortSignal): Promise<void> {
    const { ports, sought, onList } = this.#deps;
    const token = this.#deviceDenied ? this.#offered : undefined;
    this.#offered = undefined;
    onList(await ports.list({ signal, only: sought(), ...(token ? { token } : {}) }));
    if (!token) this.#deviceDenied = false;
  }

  #waitAfter(error: unknown, wait: Duration): Duration {
    const problem = serviceFailure(error, 'the list of output ports could not be read');
    // Before approval there is nothing to report; `look` ends the wait.
    if (problem.code === 'terminal-not-authorized') return hours(1);
    this.#deviceDenied ||= isProblem(error, 'cloud-denied');
    logFailure(this.#deps.log, 'output ports not read', problem);
    return this.#deviceDenied ? hours(1) : (problem.retryAfter ?? wait);
  }

  #tellWaiting(): void {
    for (const tell of this.#waiting) tell();
  }
}
