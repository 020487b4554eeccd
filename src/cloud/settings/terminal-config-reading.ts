/**
 * Reads the TerminalConfig of each terminal, one after the other with a pause in between, so that a gateway with many
 * terminals causes no burst. Each is read again an hour later (src/cloud/README.md 12, row 31). After a failure the
 * others wait, too: they would meet the same fault.
 */
import type { Duration } from '../../core/duration.ts';
import { hours, milliseconds, minutes, seconds } from '../../core/duration.ts';
import { restOrWake, Wake } from '../../core/periodic.ts';
import { waitBefore } from '../../core/retry-schedule.ts';
import type { Progress, Service } from '../../core/service.ts';
import type { Env } from '../../domain/env.ts';
import type { Settling, Turn } from '../../domain/settling.ts';
import type { TerminalConfigs } from '../../domain/ports/service.ts';
import { logFailure, serviceFailure } from '../../domain/problem/service-failure.ts';
import type { TerminalConfig } from '../../domain/terminal/terminal-config.ts';
import type { UserToken } from '../../domain/user.ts';

export interface TerminalConfigReadingDeps extends Pick<Env, 'clock' | 'chance' | 'log'> {
  readonly configs: TerminalConfigs;
  terminals(): readonly Terminal[];
  readonly settling: Settling;
  /** `undefined`: the service has none. */
  onConfig(terminal: string, config: TerminalConfig | undefined): void;
}

interface Terminal {
  readonly terminal: string;
  readonly serialNumber: string;
}

const interval = hours(1);
const retry = { first: seconds(5), factor: 2, longest: minutes(5) };
/** Far more than a call takes, because each has a deadline; only a hanging call takes longer. */
const longestReading = minutes(10);
/** Between two terminals, at the first time and later: 250 of them make one call in 6 s for the half of each hour. */
const pauses = { first: seconds(1), later: seconds(6) };

export class TerminalConfigReading implements Service {
  readonly name = 'terminal configs';
  readonly #deps: TerminalConfigReadingDeps;
  readonly #wake = new Wake();
  /** Monotonic time from which each may be asked for; absent: when its turn has come. */
  readonly #rests = new Map<string, number>();
  readonly #turns = new Map<string, Turn>();
  readonly #read = new Set<string>();
  #deviceDenied = false;
  #offered: { readonly terminal: string; readonly token: UserToken } | undefined;
  #failures = 0;

  constructor(deps: TerminalConfigReadingDeps) {
    this.#deps = deps;
  }

  /** Reads this terminal's config next, or all configs; no caller waits for it. */
  readAgain(terminal?: string): void {
    if (terminal === undefined) this.#rests.clear();
    else this.#rests.delete(terminal);
    this.#wake.ring();
  }

  /** A user is at the terminal. */
  hurry(terminal: string): void {
    if (this.#turnOf(terminal).left() === 0) return;
    this.#turnOf(terminal).take();
    this.readAgain(terminal);
  }

  forget(terminal: string): void {
    this.#rests.delete(terminal);
    this.#turns.delete(terminal);
    this.#read.delete(terminal);
  }

  /** A user logged in: if the device token was refused, this terminal's config is read with theirs. */
  offer(terminal: string, token: UserToken): void {
    if (!this.#deviceDenied) return;
    this.#offered = { terminal, token };
    this.#wake.ring();
  }

  async run(signal: AbortSignal, progress?: Progress): Promise<void> {
    const { clock } = this.#deps;
    while (!signal.aborted) {
      this.#wake.answered();
      progress?.(longestReading);
      const wait = await this.#readNext(signal);
      progress?.(milliseconds(wait + longestReading));
      await restOrWake(wait, { clock, wake: this.#wake }, signal);
    }
  }

  /** Reads the config that is due, if there is one; gives the time until the next. */
  async #readNext(signal: AbortSignal): Promise<Duration> {
    const { configs, clock, onConfig } = this.#deps;
    const { terminal: lent, token } = this.#offered ?? {};
    this.#offered = undefined;
    const next = this.#mostDue(lent);
    if (!next) return interval;
    const { terminal, serialNumber } = next;
    const early = this.#restsUntil(terminal) - clock.monotonic();
    if (!token && early > 0) return milliseconds(early);
    try {
      const config = await configs.read(serialNumber, { signal, ...(token ? { token } : {}) });
      onConfig(terminal, config);
      if (!token) this.#deviceDenied = false;
    } catch (error) {
      return signal.aborted ? interval : this.#waitAfter(error);
    }
    return this.#pauseAfter(terminal);
  }

  /** Of all terminals, or of the one for which a token was offered. */
  #mostDue(lent: string | undefined): Terminal | undefined {
    const [next] = this.#deps
      .terminals()
      .filter(({ terminal }) => lent === undefined || terminal === lent)
      .toSorted((a, b) => this.#restsUntil(a.terminal) - this.#restsUntil(b.terminal));
    return next;
  }

  #pauseAfter(terminal: string): Duration {
    const { chance, terminals } = this.#deps;
    this.#failures = 0;
    this.#read.add(terminal);
    this.#rest(terminal);
    const isFirst = terminals().some((one) => !this.#read.has(one.terminal));
    return chance.jitter(isFirst ? pauses.first : pauses.later);
  }

  #waitAfter(error: unknown): Duration {
    const { chance, log, terminals } = this.#deps;
    const problem = serviceFailure(error, 'a terminal config could not be read');
    // Before approval there is nothing to report; the authorization ends the wait.
    if (problem.code === 'terminal-not-authorized') return interval;
    logFailure(log, 'terminal config not read', problem);
    if (problem.code === 'cloud-denied') {
      this.#deviceDenied = true;
      for (const { terminal } of terminals()) this.#rest(terminal);
      return interval;
    }
    this.#failures += 1;
    return problem.retryAfter ?? chance.jitter(waitBefore(this.#failures, retry));
  }

  #restsUntil(terminal: string): number {
    const turn = this.#deps.clock.monotonic() + this.#turnOf(terminal).left();
    return Math.max(this.#rests.get(terminal) ?? 0, turn);
  }

  #turnOf(terminal: string): Turn {
    const turn = this.#turns.get(terminal) ?? this.#deps.settling.turn(interval);
    this.#turns.set(terminal, turn);
    return turn;
  }

  #rest(terminal: string): void {
    const { clock, chance } = this.#deps;
    this.#rests.set(terminal, clock.monotonic() + chance.jitter(interval));
  }
}
