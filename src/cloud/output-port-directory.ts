/**
 * Knows which output port of the service each terminal of this agent is: one list for all of them, read when the
 * device is authorized and hourly after that. Where the device token may not read the list, the token of the next
 * user who may is used (contract, section 3).
 */
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import { hours, minutes, seconds } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import { runPeriodically, Wake } from '../core/periodic.ts';
import type { Service } from '../core/service.ts';
import type { Conditions } from '../domain/condition.ts';
import type { OutputPort } from '../domain/output-port.ts';
import { findOutputPort } from '../domain/output-port.ts';
import type { OutputPorts } from '../domain/ports/service.ts';
import { asProblem, isProblem } from '../domain/problem.ts';
import type { UserToken } from '../domain/user.ts';

export interface WantedPort {
  readonly terminal: string;
  readonly serialNumber: string;
  /** Host of the printer's URI. */
  readonly address: string;
  /** Given by the configuration: nothing to be found. */
  readonly id: number | undefined;
}

export interface OutputPortDirectory extends Service {
  portOf(terminal: string): OutputPort | undefined;
  /** The device was authorized. Resolves when the list was read, or could not be; after 5 s in any case. */
  look(): Promise<void>;
  /** A user logged in: where the device token was refused, the list is read with theirs. Resolves as `look` does. */
  offer(token: UserToken): Promise<void>;
}

const subject = 'output port';
/** How long a person, or the start, waits for what the list may say of autoRelease. */
const patience = seconds(5);
const retry = { first: seconds(5), factor: 2, longest: minutes(5) };

export function createOutputPortDirectory(dependencies: {
  readonly ports: OutputPorts;
  readonly wanted: readonly WantedPort[];
  readonly conditions: Conditions;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  /** A terminal's port became known, or changed. */
  onChange(terminal: string): void;
}): OutputPortDirectory {
  const { ports, wanted, conditions, clock, log } = dependencies;
  const found = new Map<string, OutputPort>();
  const wake = new Wake();
  let deviceDenied = false;
  let offered: UserToken | undefined;
  const waiting = new Set<() => void>();

  async function attempt(signal: AbortSignal): Promise<void> {
    try {
      await read(signal);
    } catch (error) {
      // Before approval nothing was asked, and whoever waits for the list goes on waiting.
      if (isProblem(error, 'terminal-not-authorized')) throw error;
      tellWaiting();
      throw error;
    }
    tellWaiting();
  }

  function tellWaiting(): void {
    for (const tell of waiting) tell();
  }

  async function readSoon(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const limit = clock.setTimeout(resolve, patience);
    waiting.add(resolve);
    wake.ring();
    await promise;
    waiting.delete(resolve);
    clock.clearTimeout(limit);
  }

  async function read(signal: AbortSignal) {
    const token = deviceDenied ? offered : undefined;
    offered = undefined;
    const listed = await ports.list({ signal, ...(token ? { token } : {}) });
    for (const one of wanted) settle(one, listed);
  }

  function settle({ terminal, serialNumber, address, id }: WantedPort, listed: readonly OutputPort[]) {
    const port = findOutputPort(listed, { serialNumber, address, ...(id === undefined ? {} : { id }) });
    if (!port) {
      const detail = `no output port has the serial number ${serialNumber} or the address ${address}`;
      conditions.raise({
        code: 'output-port-unknown',
        severity: 'warning',
        scope: terminal,
        subject,
        detail,
      });
      return;
    }
    conditions.clear(terminal, subject);
    const before = found.get(terminal);
    found.set(terminal, port);
    if (JSON.stringify(before) === JSON.stringify(port)) return;
    log.info('output port found', { terminal, outputPortId: port.id });
    dependencies.onChange(terminal);
  }

  return {
    name: 'output ports',
    portOf: (terminal) => found.get(terminal),
    look: readSoon,
    offer: async (token) => {
      if (!deviceDenied) return;
      offered = token;
      await readSoon();
    },
    run: (signal) =>
      runPeriodically(
        {
          attempt,
          interval: hours(1),
          retry,
          wake,
          onFailure: (error, wait) => {
            const problem = asProblem(error, 'cloud-protocol', 'the list of output ports could not be read');
            // Before approval there is nothing to tell; `look` ends the wait.
            if (problem.code === 'terminal-not-authorized') return hours(1);
            deviceDenied ||= isProblem(error, 'cloud-denied');
            log.warn('output ports not read', { code: problem.code, detail: problem.message });
            return deviceDenied ? hours(1) : (problem.retryAfter ?? wait);
          },
        },
        { clock, chance: dependencies.chance },
        signal,
      ),
  };
}
