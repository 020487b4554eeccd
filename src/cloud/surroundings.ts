/**
 * The place of this device as the service sees it: its account, the location of its address, the sources of users, and
 * the queues. For the status only: no other work waits for it, and missing answers are left out. It is read a minute
 * after the device was authorized, when the rest is settled, and daily.
 */
import { networkInterfaces } from 'node:os';
import { isoInstant } from '../core/clock.ts';
import { hours, longest, milliseconds, minutes, shortest } from '../core/duration.ts';
import type { Periodic } from '../core/periodic.ts';
import { runPeriodically, Wake } from '../core/periodic.ts';
import type { Progress, Service } from '../core/service.ts';
import type { Env } from '../domain/env.ts';
import type { Settling, Turn } from '../domain/settling.ts';
import { settled } from '../domain/settling.ts';
import type { CallOptions } from '../domain/ports/call.ts';
import { isProblem, Problem } from '../domain/problem/problem.ts';
import type { Directory } from './directory.ts';

const settleTime = minutes(1);
/** Until then the last result stays. */
const retry = { first: minutes(1), factor: 2, longest: hours(1) };

export interface Seen {
  readonly account?: { readonly id: number; readonly name: string; readonly timezone: string | undefined };
  readonly locations?: readonly string[];
  readonly authProviders?: readonly string[];
  readonly inputPorts?: readonly string[];
  /** ISO 8601. */
  readonly seenAt: string;
}

export interface Surroundings extends Service {
  look(): void;
  seen(): Seen | undefined;
}

export interface SurroundingsDeps extends Pick<Env, 'clock' | 'chance' | 'log'> {
  directory(): Directory;
  /** Absent: no other gateway starts at the same time. */
  readonly settling?: Settling;
}

export const createSurroundings = (deps: SurroundingsDeps): Surroundings => new View(deps);

class View implements Surroundings {
  readonly name = 'surroundings';
  readonly #deps: SurroundingsDeps;
  readonly #wake = new Wake();
  readonly #turn: Turn;
  #lookAt = Number.POSITIVE_INFINITY;
  #seen: Seen | undefined;

  constructor(deps: SurroundingsDeps) {
    this.#deps = deps;
    const { settling = settled } = deps;
    this.#turn = settling.turn(hours(1));
  }

  look(): void {
    this.#lookAt = this.#deps.clock.monotonic() + settleTime + this.#turn.left();
    this.#wake.ring();
  }

  seen(): Seen | undefined {
    return this.#seen;
  }

  run(signal: AbortSignal, progress?: Progress): Promise<void> {
    const duty: Periodic = {
      attempt: (end) => this.#look(end),
      interval: hours(24),
      retry,
      onFailure: (error, wait) => {
        const early = milliseconds(this.#lookAt - this.#deps.clock.monotonic());
        if (early > 0) return shortest(early, hours(24));
        return longest(wait, (isProblem(error) && error.retryAfter) || wait);
      },
      wake: this.#wake,
    };
    return runPeriodically(duty, this.#deps, signal, progress);
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { directory, clock } = this.#deps;
    if (clock.monotonic() < this.#lookAt)
      throw new Problem('terminal-not-authorized', 'not authorized for a minute yet');
    const call: CallOptions = { signal };
    const { accounts, authProviders, inputPorts, locations } = directory();
    const account = await this.#unlessFailed('account', accounts.read(call));
    const here = await this.#unlessFailed('locations', locations.find(ownAddresses(), call));
    const providers =
      account && (await this.#unlessFailed('authentication providers', authProviders.list(account.id, call)));
    const queues = await this.#unlessFailed(
      'input ports',
      inputPorts.list({ locationIds: (here ?? []).map(({ id }) => id) }, call),
    );
    this.#seen = {
      ...(account && { account: { id: account.id, name: account.name, timezone: account.timezone } }),
      ...(here && { locations: here.map(({ name }) => name) }),
      ...(providers && { authProviders: providers.map(({ name, id }) => name ?? String(id)) }),
      ...(queues && { inputPorts: queues.map(({ name }) => name) }),
      seenAt: isoInstant(clock.now()),
    };
  }

  /** A refusal of the service is no fault: `undefined`. Throws if the service could not be asked. */
  async #unlessFailed<T>(what: string, ask: Promise<T>): Promise<T | undefined> {
    try {
      return await ask;
    } catch (error) {
      this.#deps.log.debug('surroundings not told', { what, error: error as Error });
      if (isProblem(error, 'cloud-unreachable', 'cloud-busy')) throw error;
      return undefined;
    }
  }
}

/** A location is known by the IPv4 addresses of its gateways. */
const ownAddresses = () =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => ({ type: 'GATEWAY_IP', value: address }) as const);
