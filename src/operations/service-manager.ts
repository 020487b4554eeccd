/**
 * Tells systemd how the agent is: sd_notify(3) in the words of its manual page, one message after the other. Silent, and
 * without any program started, where no service manager asked for it by NOTIFY_SOCKET. A message that does not get
 * through is a line in the log and nothing else.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Clock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { milliseconds, seconds } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import type { Env } from '../domain/env.ts';

export interface ServiceManager {
  /** The agent serves, or serves again after `reloading`; with its line of status where that is to be seen at once. */
  ready(status?: string): Promise<void>;
  reloading(): void;
  stopping(): void;
  /** The line of `systemctl status`. Cheap: told when it changed, and at most every few seconds. */
  status(text: string): void;
  /** The agent makes progress; resolves when that was told, or could not be. */
  ping(): Promise<void>;
  /** How often `ping` is wanted; `undefined` where no watchdog is on. */
  readonly pingEvery: Duration | undefined;
}

/** Between two lines of status. */
const apart = seconds(2);
const patience = seconds(10);
/** Of the time after which the watchdog strikes: one ping that is late and one that fails do no harm. */
const share = 1 / 3;

// systemd-notify(1), which waits until systemd has read the message and so is still known as one of this unit. Node has no
// unix datagram sockets. By koffi and libc a ping would take 3 µs of processor time, by this it takes 6 ms here and 6 ms
// there (measured), 0.1 % of a core at WatchdogSec=30: little enough, for koffi is optional, and the watchdog is not.
const program = 'systemd-notify';
const execute = promisify(execFile);

type Environment = Readonly<Record<string, string | undefined>>;

interface ServiceManagerDeps extends Pick<Env, 'clock' | 'log'> {
  readonly env: Environment;
}

export const createServiceManager = (deps: ServiceManagerDeps): ServiceManager => new Systemd(deps);

class Systemd implements ServiceManager {
  readonly pingEvery: Duration | undefined;
  readonly #env: Environment;
  readonly #clock: Clock;
  readonly #log: Log;
  #last: Promise<void> = Promise.resolve();
  #isFailing = false;
  #told: string | undefined;
  #wanted: string | undefined;
  #toldAt = Number.NEGATIVE_INFINITY;
  #isWaiting = false;

  constructor({ env, clock, log }: ServiceManagerDeps) {
    this.pingEvery = pingEvery(env);
    this.#env = env;
    this.#clock = clock;
    this.#log = log;
  }

  ready(status?: string): Promise<void> {
    if (status === undefined) return this.#tell('READY=1');
    this.#told = status;
    this.#wanted = status;
    this.#toldAt = this.#clock.monotonic();
    return this.#tell('READY=1', `STATUS=${status}`);
  }

  reloading(): void {
    void this.#tell('RELOADING=1');
  }

  stopping(): void {
    void this.#tell('STOPPING=1');
  }

  status(text: string): void {
    this.#wanted = text;
    if (!this.#env['NOTIFY_SOCKET'] || this.#isWaiting || text === this.#told) return;
    this.#isWaiting = true;
    const early = Math.max(0, this.#toldAt + apart - this.#clock.monotonic());
    this.#clock.setTimeout(() => void this.#tellStatus(), early);
  }

  ping(): Promise<void> {
    return this.#tell('WATCHDOG=1');
  }

  async #tellStatus(): Promise<void> {
    if (this.#wanted !== this.#told) {
      this.#told = this.#wanted;
      this.#toldAt = this.#clock.monotonic();
      await this.#tell(`STATUS=${this.#told}`);
    }
    // Not before: behind a service manager that is slow to hear no queue grows, which a ping would have to stand in.
    this.#isWaiting = false;
  }

  #tell(...words: readonly string[]): Promise<void> {
    if (this.#env['NOTIFY_SOCKET']) this.#last = this.#last.then(() => this.#send(words));
    return this.#last;
  }

  async #send(words: readonly string[]): Promise<void> {
    const { NOTIFY_SOCKET: socket, PATH: path = '/usr/bin:/bin' } = this.#env;
    try {
      await execute(program, words, { env: { NOTIFY_SOCKET: socket, PATH: path }, timeout: patience });
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#log.warn('service manager not told', { error: error as Error });
      this.#isFailing = true;
    }
  }
}

/** sd_watchdog_enabled(3): the watchdog of another process is none of ours. */
function pingEvery(env: Environment): Duration | undefined {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: limit, WATCHDOG_PID: pid = String(process.pid) } = env;
  if (!socket || pid !== String(process.pid) || !/^[1-9]\d*$/.test(limit ?? '')) return undefined;
  return milliseconds((Number(limit) / 1000) * share);
}
