/**
 * Forgets for good what people have left in memory (INVARIANTS.md I5; B.4, 10). Nothing of ours holds it when a session
 * and its releases are over; but a string cannot be overwritten, and what nobody holds stands where it was until the
 * collector comes, which in a quiet agent may be tomorrow. So it is called, soon after the last person has gone, and made
 * to give all free room back; the octets of buffers go with them, for `tools/platen.js` has the C library overwrite what is
 * freed. Where the process was not started so, with `--expose-gc`, it is left to chance.
 */
import { setFlagsFromString } from 'node:v8';
import type { Clock } from './clock.ts';
import type { Duration } from './duration.ts';
import { milliseconds, minutes, seconds } from './duration.ts';
import { restOrWake, Wake } from './periodic.ts';
import type { Service } from './service.ts';

/** A collection of everything holds the event loop for a tenth of a second: not in front of somebody, nor all the time. */
const quiet = seconds(1);
const rest = seconds(10);
/** Where there is always somebody, at some other terminal. */
const longestWait = minutes(1);
/** The second time it takes what a timer or an idle connection still held. */
const times = 2;
const idle = minutes(10);

export interface Oblivion extends Service {
  /** Something of a person may not be needed any more. */
  due(): void;
}

export function createOblivion(options: {
  /** Somebody is waiting for something. */
  readonly isBusy: () => boolean;
  /** Overwrite what no collector reaches. */
  readonly rinse: readonly (() => Promise<void>)[];
  readonly clock: Clock;
  /** Collects all that nobody holds, as thoroughly as it can be done. */
  readonly collect?: (isFirst: boolean) => void;
}): Oblivion {
  const { isBusy, rinse, clock, collect = collectAll } = options;
  const wake = new Wake();
  let left = 0;
  let first = 0;
  let latest = 0;
  let before = Number.NEGATIVE_INFINITY;

  function untilItIsTime(): Duration {
    if (left === 0) return idle;
    const atLast = first + longestWait;
    const at = isBusy() ? atLast : Math.min(atLast, Math.max(latest + quiet, before + rest));
    return milliseconds(Math.max(0, at - clock.monotonic()));
  }

  async function rinseAll(): Promise<void> {
    // What cannot be rinsed now, for no descriptor is free, say, is the next time.
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
      wake.ring();
    },
    async run(signal, progress) {
      // What grows when it is first needed leaves its smaller predecessors: there is nothing in them yet.
      await rinseAll();
      while (!signal.aborted) {
        const wait = untilItIsTime();
        progress?.(milliseconds(wait + longestWait));
        if (wait > 0) await restOrWake(wait, { clock, wake }, signal);
        else await forget();
      }
    },
  };
}

/**
 * What lives is moved together, and the pages it leaves are given back with all that stood between; V8 does so to a part
 * of its pages only, unless it is told. Nor has it to keep what only the start ran translated: 2 MB, which it would give
 * back at the seventh time.
 */
function collectAll(isFirst: boolean): void {
  if (!globalThis.gc) return;
  const ways = ['compact-on-every-full-gc', ...(isFirst ? ['stress-flush-code'] : [])];
  for (const way of ways) setFlagsFromString(`--${way}`);
  globalThis.gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  for (const way of ways) setFlagsFromString(`--no-${way}`);
}
