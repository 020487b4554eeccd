/**
 * What the agent says to systemd, and gets from it: its state by sd_notify(3), one message after the other, the line
 * for `systemctl status`, and the sockets that systemd kept. Without NOTIFY_SOCKET it sends nothing and starts no
 * program.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Clock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { milliseconds, seconds } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import { counted } from '../core/text/counted.ts';
import type { Condition } from '../domain/condition.ts';
import type { Env } from '../domain/env.ts';

export interface ServiceManager {
  /** The agent serves, or serves again after `reloading`. The status line can be sent at the same time. */
  ready(status?: string): Promise<void>;
  reloading(): void;
  stopping(): void;
  /**
   * The line of `systemctl status`. A cheap call: a message goes only after a change, and at most every few seconds.
   */
  status(text: string): void;
  /** The agent makes progress. Resolves when the message went out, or failed. */
  ping(): Promise<void>;
  /** The interval of `ping`; `undefined` if no watchdog is on. */
  readonly pingEvery: Duration | undefined;
}

/** Between two lines of status. */
const apart = seconds(2);
const patience = seconds(10);
/** The part of the watchdog's time limit: then a late ping and a failed one do no harm. */
const share = 1 / 3;

// systemd-notify(1) waits until systemd has read the message, so systemd still knows it as part of this unit. Node has
// no unix datagram sockets. By koffi and libc a ping would take 3 µs of processor time; this takes 6 ms here and 6 ms
// there (measured), 0.1 % of a core at WatchdogSec=30. That is little enough, because koffi is optional, and the
// watchdog is not.
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
  #sentStatus: string | undefined;
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
    this.#sentStatus = status;
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
    if (!this.#env['NOTIFY_SOCKET'] || this.#isWaiting || text === this.#sentStatus) return;
    this.#isWaiting = true;
    const early = Math.max(0, this.#toldAt + apart - this.#clock.monotonic());
    this.#clock.setTimeout(() => void this.#tellStatus(), early);
  }

  ping(): Promise<void> {
    return this.#tell('WATCHDOG=1');
  }

  async #tellStatus(): Promise<void> {
    if (this.#wanted !== this.#sentStatus) {
      this.#sentStatus = this.#wanted;
      this.#toldAt = this.#clock.monotonic();
      await this.#tell(`STATUS=${this.#sentStatus}`);
    }
    // Only now, so that with a slow service manager no queue grows, in which a ping would have to wait.
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

/** sd_watchdog_enabled(3): a watchdog for another process is ignored. */
function pingEvery(env: Environment): Duration | undefined {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: limit, WATCHDOG_PID: pid = String(process.pid) } = env;
  if (!socket || pid !== String(process.pid) || !/^[1-9]\d*$/.test(limit ?? '')) return undefined;
  return milliseconds((Number(limit) / 1000) * share);
}

/** By the name that the socket's unit gives it (`FileDescriptorName=`). */
export type InheritedSockets = ReadonlyMap<string, number>;

/** SD_LISTEN_FDS_START: behind standard input, output and error. */
const first = 3;
const mostSockets = 16;

/**
 * The listening sockets that systemd kept for the agent while it did not run: sd_listen_fds(3), as its manual page
 * describes it. None unless a service manager started this very process with them.
 */
export function inheritedSockets(
  env: Readonly<Record<string, string | undefined>>,
  pid: number,
): InheritedSockets {
  const { LISTEN_PID: listenPid, LISTEN_FDS: count = '', LISTEN_FDNAMES: names = '' } = env;
  if (listenPid !== String(pid) || !/^[1-9]\d?$/.test(count) || Number(count) > mostSockets) return new Map();
  const named = names.split(':').slice(0, Number(count));
  return new Map(named.map((name, index) => [name, first + index]));
}

export interface StatusLineFacts {
  readonly terminals: readonly { readonly id: string; isReady(): boolean }[];
  /** The worst first. */
  readonly conditions: readonly Condition[];
  /** Records that wait for the service. */
  readonly waiting: number;
  readonly deadLetters: number;
}

/** So many conditions are named; the rest is counted. */
const mostNamed = 2;
const longest = 120;

/** The state of the agent as one line for `systemctl status`: in words, faults first, without any person's data. */
export function statusLine({ terminals, conditions, waiting, deadLetters }: StatusLineFacts): string {
  const ready = terminals.filter((terminal) => terminal.isReady()).length;
  const refused = conditions.find(({ code }) => code === 'config-not-reloaded');
  // One cause may make several conditions.
  const details = new Map(
    conditions
      .filter((one) => one !== refused)
      .toReversed()
      .map(({ scope, detail }) => [detail, scope]),
  );
  const newestFirst = [...details].toReversed();
  const further = newestFirst.length - mostNamed;
  return [
    `${ready > 0 ? 'Ready' : 'Not ready'}: ${ready} of ${terminals.length} terminals.`,
    ...(refused
      ? [`Not reloaded, the earlier configuration is still used: ${sentence(refused.detail)}`]
      : []),
    ...newestFirst.slice(0, mostNamed).map(([detail, scope]) => `${scope}: ${sentence(detail)}`),
    ...(further > 0 ? [`${counted(further, 'more condition')}: platen status.`] : []),
    ...(waiting > 0 ? [`${counted(waiting, 'history record')} ${waiting === 1 ? 'waits' : 'wait'}.`] : []),
    ...(deadLetters > 0 ? [`${counted(deadLetters, 'history record')} refused for good.`] : []),
  ].join(' ');
}

/** One line with a full stop, cut if it is too long. */
function sentence(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length > longest) return `${line.slice(0, longest - 1)}…`;
  return /[.!?)]$/.test(line) ? line : `${line}.`;
}
