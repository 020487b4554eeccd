/**
 * Reads the list of output ports: one list for all terminals of this agent, when the device is authorized and hourly
 * after that. Where the device token may not read it, the token of the next user who may is used (contract, section 3).
 */
import type { Chance } from '../../core/chance.ts';
import type { Clock } from '../../core/clock.ts';
import { hours, minutes, seconds } from '../../core/duration.ts';
import type { Log } from '../../core/log.ts';
import { runPeriodically, Wake } from '../../core/periodic.ts';
import type { Service } from '../../core/service.ts';
import type { OutputPort } from '../../domain/output-port.ts';
import type { OutputPorts } from '../../domain/ports/service.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import { logFailure, serviceFailure } from '../../domain/problem/service-failure.ts';
import type { UserToken } from '../../domain/user.ts';

export interface OutputPortReading extends Service {
  /** Reads now. Resolves when the list was read, or could not be; after 5 s in any case. */
  look(): Promise<void>;
  /** A user logged in: where the device token was refused, the list is read with theirs. Resolves as `look` does. */
  offer(token: UserToken): Promise<void>;
  /** Reads soon; nobody waits for it. */
  readAgain(): void;
}

/** How long a person, or the start, waits for what the list may say of autoRelease. */
const patience = seconds(5);
const retry = { first: seconds(5), factor: 2, longest: minutes(5) };

export function createOutputPortReading(dependencies: {
  readonly ports: OutputPorts;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  onList(listed: readonly OutputPort[]): void;
}): OutputPortReading {
  const { ports, clock, chance, log } = dependencies;
  const wake = new Wake();
  const waiting = new Set<() => void>();
  let deviceDenied = false;
  let offered: UserToken | undefined;

  async function attempt(signal: AbortSignal): Promise<void> {
    try {
      await read(signal);
    } catch (error) {
      // Before approval nothing was asked, and whoever waits for the list goes on waiting.
      if (!isProblem(error, 'terminal-not-authorized')) tellWaiting();
      throw error;
    }
    tellWaiting();
  }

  async function read(signal: AbortSignal): Promise<void> {
    const token = deviceDenied ? offered : undefined;
    offered = undefined;
    dependencies.onList(await ports.list({ signal, ...(token ? { token } : {}) }));
    if (!token) deviceDenied = false;
  }

  function tellWaiting(): void {
    for (const tell of waiting) tell();
  }

  async function look(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const limit = clock.setTimeout(resolve, patience);
    waiting.add(resolve);
    wake.ring();
    await promise;
    waiting.delete(resolve);
    clock.clearTimeout(limit);
  }

  return {
    name: 'output ports',
    look,
    offer: async (token) => {
      if (!deviceDenied) return;
      offered = token;
      await look();
    },
    readAgain: () => wake.ring(),
    run: (signal, progress) =>
      runPeriodically(
        {
          attempt,
          interval: hours(1),
          retry,
          wake,
          onFailure: (error, wait) => {
            const problem = serviceFailure(error, 'the list of output ports could not be read');
            // Before approval there is nothing to tell; `look` ends the wait.
            if (problem.code === 'terminal-not-authorized') return hours(1);
            deviceDenied ||= isProblem(error, 'cloud-denied');
            logFailure(log, 'output ports not read', problem);
            return deviceDenied ? hours(1) : (problem.retryAfter ?? wait);
          },
        },
        { clock, chance },
        signal,
        progress,
      ),
  };
}
