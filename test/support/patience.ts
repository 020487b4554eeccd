/**
 * How long tests wait before they call something lost. A limit says that a promise was broken, never how fast the
 * machine is: it is a minute on a fast machine and as many times longer as this one is slower, measured once at the
 * start of the run (tools/machine-pace.ts). What has to be fast is measured by `npm run bench`.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../src/core/clock.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { Duration } from '../../src/core/duration.ts';
import { milliseconds, seconds } from '../../src/core/duration.ts';

/** How many times slower than the reference this machine was when the run began; 1 where nobody measured. */
const slowness = Math.max(1, Number(process.env['PLATEN_TEST_SLOWNESS'] ?? 1));

/** The one limit of all waits, in whole seconds: a process takes no other. */
export const patience = (): Duration => seconds(Math.ceil(60 * slowness));

/** Real time, in which the limits of a command are as many times longer: what it finds is tested, not how soon. */
export const patientClock: Clock = {
  ...systemClock,
  deadline: (span, parent) => systemClock.deadline(milliseconds(Math.ceil(span * slowness)), parent),
};

const usualInterval = 20;

/**
 * Looks again and again until nothing is thrown, and gives what was seen. Rejects with the last failure when patience
 * has run out, or a limit after which something else is tried.
 */
export async function eventually<Seen>(
  look: () => Seen | Promise<Seen>,
  {
    interval = usualInterval,
    limit = patience(),
  }: { readonly interval?: number; readonly limit?: number } = {},
): Promise<Seen> {
  const end = performance.now() + limit;
  for (;;) {
    try {
      return await look();
    } catch (failure) {
      if (performance.now() > end) throw failure;
    }
    await pause(interval);
  }
}

/** For a call that is never aborted: the limit of the test is its limit, and the test fails by it. */
export const withoutLimit = (): { signal: AbortSignal } => ({ signal: new AbortController().signal });
