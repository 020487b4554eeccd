/**
 * Removes personal data from memory after a session (INVARIANTS.md I5; B.4, 10). After a session no object of ours
 * holds the data. But a string cannot be overwritten and stays until the garbage collector runs, which may take a day
 * in a quiet agent. So the collector is called soon after the last person has gone, and gives all free memory back. The
 * octets of buffers are overwritten when they are freed, because `tools/platen.js` sets up the C library for that.
 * Only a process that has settled in (long-run.ts) can call the collector.
 */
import { setFlagsFromString } from 'node:v8';
import type { Clock } from './clock.ts';
import { milliseconds, minutes, seconds } from './duration.ts';
import { restOrWake, Wake } from './periodic.ts';
import type { Service } from './service.ts';

/**
 * A full collection blocks the event loop for a tenth of a second. It must not run in front of a person, and not all
 * the time.
 */
const quiet = seconds(1);
const rest = seconds(10);
/** For a gateway where a person is always at some terminal. */
const longestWait = minutes(1);
/** The second collection takes what a timer or an idle connection still held during the first. */
const times = 2;
const idle = minutes(10);

export interface Oblivion extends Service {
  /** Tells that personal data may no longer be needed. */
  due(): void;
}

export function createOblivion(options: {
  /** A person is waiting for something. */
  readonly isBusy: () => boolean;
  /** Overwrites memory that the collector does not reach. */
  readonly rinse: readonly (() => Promise<void>)[];
  readonly clock: Clock;
  /** Collects all unreachable objects, as thoroughly as possible. */
  readonly collect?: (isFirst: boolean) => void;
}): Oblivion {
  const { isBusy, rinse, clock, collect = collectAll } = options;
  const wake = new Wake();
  let left = 0;
  let first = 0;
  let latest = 0;
  let before = Number.NEGATIVE_INFINITY;
  /** When the rest that is under way ends, as far as it was known at its beginning. */
  let restsUntil = Number.POSITIVE_INFINITY;

  /** In monotonic time. */
  function dueAt(): number {
    if (left === 0) return Number.POSITIVE_INFINITY;
    const atLast = first + longestWait;
    return isBusy() ? atLast : Math.min(atLast, Math.max(latest + quiet, before + rest));
  }

  async function rinseAll(): Promise<void> {
    // A rinse that fails now, for example because no descriptor is free, is tried the next time.
    await Promise.allSettled(rinse.map((one) => one()));
  }

  async function forget(): Promise<void> {
    const isFirst = before === Number.NEGATIVE_INFINITY;
    before = clock.monotonic();
    first = before;
    left = isBusy() ? times : left - 1;
    await rinseAll();
    collect(isFirst);
  }

  return {
    name: 'oblivion',
    due() {
      latest = clock.monotonic();
      if (left === 0) first = latest;
      left = times;
      // Called at each step of a session, and hardly ever makes the rest shorter.
      if (dueAt() < restsUntil) wake.ring();
    },
    async run(signal, progress) {
      // Run once at start, so that buffers reach full size before they hold secrets.
      await rinseAll();
      while (!signal.aborted) {
        restsUntil = dueAt();
        const wait = milliseconds(Math.min(idle, Math.max(0, restsUntil - clock.monotonic())));
        progress?.(milliseconds(wait + longestWait));
        if (wait > 0) await restOrWake(wait, { clock, wake }, signal);
        else await forget();
      }
    },
  };
}

/**
 * Live objects are moved together, and the emptied pages are given back with their old contents. Without the flag V8
 * does that to some of its pages only. The first time, compiled code that only the start needed is dropped too: 2 MB,
 * which V8 would otherwise drop at the seventh collection.
 */
function collectAll(isFirst: boolean): void {
  if (!globalThis.gc) return;
  const ways = ['compact-on-every-full-gc', ...(isFirst ? ['stress-flush-code'] : [])];
  for (const way of ways) setFlagsFromString(`--${way}`);
  globalThis.gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  for (const way of ways) setFlagsFromString(`--no-${way}`);
}
