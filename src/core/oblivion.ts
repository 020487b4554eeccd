/**
 * Removes personal data from memory after a session (INVARIANTS.md I5; B.4, 10). After a session no object of ours
 * holds the data. But a string cannot be overwritten and stays until the garbage collector runs, which may take a day
 * in a quiet agent. So the collector is called soon after the last person has gone, and overwrites what it frees. The
 * octets of buffers are overwritten when they are freed, because `tools/platen.js` sets up the C library for that.
 * Only a process that has settled in (long-run.ts) can call the collector.
 */
import { setFlagsFromString } from 'node:v8';
import type { Clock } from './clock.ts';
import { milliseconds, minutes, seconds } from './duration.ts';
import { shrink, stretch } from './long-run.ts';
import { restOrWake, Wake } from './periodic.ts';
import type { Service } from './service.ts';

/** A collection takes some hundredths of a second in pieces. It must not run in front of a person, and not all the time. */
const quiet = seconds(1);
const rest = seconds(10);
/** For a gateway where a person is always at some terminal. */
const longestWait = minutes(1);
/**
 * The second collection takes what a timer or an idle connection still held during the first, and the other half of the
 * young generation (`collectAll`).
 */
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
  /** Begins to collect all unreachable objects. */
  readonly collect?: (isFirst: boolean) => void;
  /** What V8 may take for new objects: more while somebody is there. */
  readonly room?: { stretch(): void; shrink(): void };
}): Oblivion {
  const { isBusy, rinse, clock, collect = collectAll, room = { stretch, shrink } } = options;
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
    if (!isBusy()) room.shrink();
    collect(isFirst);
  }

  return {
    name: 'oblivion',
    due() {
      latest = clock.monotonic();
      if (left === 0) first = latest;
      left = times;
      if (isBusy()) room.stretch();
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

function collectAll(isFirst: boolean): void {
  if (!globalThis.gc) return;
  if (isFirst) collectAtOnce(globalThis.gc);
  else collectBeside(globalThis.gc);
}

/**
 * The first time: what is in use is moved together, and compiled code that only the start needed is
 * dropped, 5 MB in all. This blocks the event loop for two tenths of a second.
 */
function collectAtOnce(gc: NodeJS.GCFunction): void {
  withFlags(['compact-on-every-full-gc', 'stress-flush-code'], () =>
    gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
  );
}

/**
 * V8 marks what is in use in small steps between other work, then stops for some ten milliseconds, and overwrites what is
 * free with zeros on another thread. It overwrites where it is to save memory, and begins to mark after a collection of
 * the young generation: so it is told for that moment.
 */
function collectBeside(gc: NodeJS.GCFunction): void {
  // Each collection changes the two halves of the young generation, and at the end the half that is left is given back.
  // With this one it is the half which was in use. It also ends what V8 may be marking for itself.
  setFlagsFromString('--no-incremental-marking');
  gc({ type: 'minor' });
  setFlagsFromString('--incremental-marking');

  setFlagsFromString('--zero-unused-memory');
  withFlags(['optimize-for-size', 'stress-incremental-marking'], () => gc({ type: 'minor' }));
}

function withFlags(flags: readonly string[], deed: () => void): void {
  for (const flag of flags) setFlagsFromString(`--${flag}`);
  deed();
  for (const flag of flags) setFlagsFromString(`--no-${flag}`);
}
