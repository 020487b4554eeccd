/**
 * Reads the TerminalConfig of each terminal, one after the other with a pause in between, so that a gateway of many
 * terminals is no crowd; each is read again an hour later (api-supplement.md 12, row 31). One that could not be read
 * holds up the others: they would meet the same fault.
 */
import type { Chance } from '../../core/chance.ts';
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { hours, milliseconds, minutes, seconds } from '../../core/duration.ts';
import type { Log } from '../../core/log.ts';
import { restOrWake, Wake } from '../../core/periodic.ts';
import { waitBefore } from '../../core/retry-schedule.ts';
import type { Service } from '../../core/service.ts';
import type { TerminalConfigs } from '../../domain/ports/service.ts';
import { logFailure, serviceFailure } from '../../domain/problem/service-failure.ts';
import type { TerminalConfig } from '../../domain/terminal/terminal-config.ts';
import type { UserToken } from '../../domain/user.ts';

export interface TerminalConfigReading extends Service {
  /** Reads this terminal's next, or all of them. */
  readAgain(terminal?: string): void;
  /** It is none of `terminals` any more. */
  forget(terminal: string): void;
  /** A user logged in: where the device token was refused, this terminal's is read with theirs. */
  offer(terminal: string, token: UserToken): void;
}

const interval = hours(1);
const retry = { first: seconds(5), factor: 2, longest: minutes(5) };
/** Far more than a call takes, for each has a deadline; only one that hangs takes longer. */
const longestReading = minutes(10);
/** Between two terminals, at the first time and later: 250 of them make one call in 6 s for the half of each hour. */
const pauses = { first: seconds(1), later: seconds(6) };

export function createTerminalConfigReading(dependencies: {
  readonly configs: TerminalConfigs;
  /** Of this moment. */
  terminals(): readonly { readonly terminal: string; readonly serialNumber: string }[];
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  /** `undefined`: the service has none. */
  onConfig(terminal: string, config: TerminalConfig | undefined): void;
}): TerminalConfigReading {
  const { configs, clock, chance, log } = dependencies;
  const wake = new Wake();
  /** Monotonic time from which each may be asked for; absent: at once. */
  const rests = new Map<string, number>();
  const read = new Set<string>();
  let deviceDenied = false;
  let offered: { readonly terminal: string; readonly token: UserToken } | undefined;
  let failures = 0;

  const restsUntil = (terminal: string): number => rests.get(terminal) ?? 0;
  const rest = (terminal: string): void =>
    void rests.set(terminal, clock.monotonic() + chance.jitter(interval));

  /** Reads what is due, if anything is; how long to wait then. */
  async function readNext(signal: AbortSignal): Promise<Duration> {
    const { terminal: lent, token } = offered ?? {};
    offered = undefined;
    const [next] = dependencies
      .terminals()
      .filter(({ terminal }) => lent === undefined || terminal === lent)
      .toSorted((a, b) => restsUntil(a.terminal) - restsUntil(b.terminal));
    if (!next) return interval;
    const { terminal, serialNumber } = next;
    const early = restsUntil(terminal) - clock.monotonic();
    if (!token && early > 0) return milliseconds(early);
    try {
      const config = await configs.read(serialNumber, { signal, ...(token ? { token } : {}) });
      dependencies.onConfig(terminal, config);
      if (!token) deviceDenied = false;
    } catch (error) {
      if (signal.aborted) return interval;
      return waitAfter(error);
    }
    failures = 0;
    read.add(terminal);
    rest(terminal);
    const isFirst = dependencies.terminals().some((one) => !read.has(one.terminal));
    return chance.jitter(isFirst ? pauses.first : pauses.later);
  }

  function waitAfter(error: unknown): Duration {
    const problem = serviceFailure(error, 'a terminal config could not be read');
    // Before approval there is nothing to tell; the authorization ends the wait.
    if (problem.code === 'terminal-not-authorized') return interval;
    logFailure(log, 'terminal config not read', problem);
    if (problem.code === 'cloud-denied') {
      deviceDenied = true;
      for (const { terminal } of dependencies.terminals()) rest(terminal);
      return interval;
    }
    failures += 1;
    return problem.retryAfter ?? chance.jitter(waitBefore(failures, retry));
  }

  return {
    name: 'terminal configs',
    readAgain(terminal) {
      if (terminal === undefined) rests.clear();
      else rests.delete(terminal);
      wake.ring();
    },
    forget(terminal) {
      rests.delete(terminal);
      read.delete(terminal);
    },
    offer(terminal, token) {
      if (!deviceDenied) return;
      offered = { terminal, token };
      wake.ring();
    },
    async run(signal, progress) {
      while (!signal.aborted) {
        wake.answered();
        progress?.(longestReading);
        const wait = await readNext(signal);
        progress?.(milliseconds(wait + longestReading));
        await restOrWake(wait, { clock, wake }, signal);
      }
    },
  };
}
