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

export function createServiceManager({
  env,
  clock,
  log,
}: {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly log: Log;
}): ServiceManager {
  const { NOTIFY_SOCKET: socket, PATH: path = '/usr/bin:/bin' } = env;
  let last: Promise<void> = Promise.resolve();
  let isFailing = false;

  async function send(words: readonly string[]): Promise<void> {
    try {
      await execute(program, words, { env: { NOTIFY_SOCKET: socket, PATH: path }, timeout: patience });
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn('service manager not told', { error: error as Error });
      isFailing = true;
    }
  }

  function tell(...words: readonly string[]): Promise<void> {
    if (socket) last = last.then(() => send(words));
    return last;
  }

  let told: string | undefined;
  let wanted: string | undefined;
  let toldAt = Number.NEGATIVE_INFINITY;
  let isWaiting = false;

  async function tellStatus(): Promise<void> {
    if (wanted !== told) {
      told = wanted;
      toldAt = clock.monotonic();
      await tell(`STATUS=${told}`);
    }
    // Not before: behind a service manager that is slow to hear no queue grows, which a ping would have to stand in.
    isWaiting = false;
  }

  return {
    ready(status) {
      if (status === undefined) return tell('READY=1');
      [told, wanted, toldAt] = [status, status, clock.monotonic()];
      return tell('READY=1', `STATUS=${status}`);
    },
    reloading: () => void tell('RELOADING=1'),
    stopping: () => void tell('STOPPING=1'),
    status(text) {
      wanted = text;
      if (!socket || isWaiting || wanted === told) return;
      isWaiting = true;
      clock.setTimeout(() => void tellStatus(), Math.max(0, toldAt + apart - clock.monotonic()));
    },
    ping: () => tell('WATCHDOG=1'),
    pingEvery: pingEvery(env),
  };
}

/** sd_watchdog_enabled(3): the watchdog of another process is none of ours. */
function pingEvery(env: Readonly<Record<string, string | undefined>>): Duration | undefined {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: limit, WATCHDOG_PID: pid = String(process.pid) } = env;
  if (!socket || pid !== String(process.pid) || !/^[1-9]\d*$/.test(limit ?? '')) return undefined;
  return milliseconds((Number(limit) / 1000) * share);
}
