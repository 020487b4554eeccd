/**
 * Does one duty again and again until stopped: after a success it waits the interval, after a failure the retry
 * schedule, and it tells its health each time. It never swallows an error: `onFailure` gets every one.
 */
import type { Chance } from './chance.ts';
import type { Clock } from './clock.ts';
import type { Duration } from './duration.ts';
import { milliseconds, minutes } from './duration.ts';
import type { RetrySchedule } from './retry-schedule.ts';
import { waitBefore } from './retry-schedule.ts';
import type { Progress } from './service.ts';

export interface Periodic {
  /** The duty. Resolving is success; rejecting is failure. */
  attempt(signal: AbortSignal): Promise<void>;
  interval: Duration;
  retry: RetrySchedule;
  /** May lengthen or shorten the wait before the next try, for a Retry-After, say. */
  onFailure(error: unknown, wait: Duration): Duration | undefined;
  /** Ends a wait early: the duty has news. */
  wake?: Wake;
  /** So long an attempt that is due is put off; a ring looks again. Absent: not at all. */
  untilTurn?(): Duration;
}

/** Far more than any attempt takes, for each of its calls has a deadline; only one that hangs takes longer. */
const longestAttempt = minutes(15);
/** How late it may come by without being counted as stuck. */
const grace = minutes(1);

export async function runPeriodically(
  duty: Periodic,
  tools: { clock: Clock; chance: Chance },
  signal: AbortSignal,
  progress?: Progress,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    let wait: Duration;
    for (let left = untilTurn(duty); left > 0; left = untilTurn(duty)) {
      progress?.(milliseconds(left + grace));
      await restOrWake(left, { clock: tools.clock, wake: duty.wake }, signal);
      if (signal.aborted) return;
    }
    progress?.(longestAttempt);
    // What rang until now is answered by this attempt; what rings meanwhile wants another.
    duty.wake?.answered();
    try {
      await duty.attempt(signal);
      failures = 0;
      wait = tools.chance.jitter(duty.interval);
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      const planned = tools.chance.jitter(waitBefore(failures, duty.retry));
      wait = duty.onFailure(error, planned) ?? planned;
    }
    progress?.(milliseconds(wait + grace));
    await restOrWake(wait, { clock: tools.clock, wake: duty.wake }, signal);
  }
}

const untilTurn = (duty: Periodic): Duration => duty.untilTurn?.() ?? milliseconds(0);

/** Resolves after the span, or as soon as the bell rings, or the signal aborts. */
export async function restOrWake(
  span: Duration,
  { clock, wake }: { readonly clock: Clock; readonly wake: Wake | undefined },
  signal: AbortSignal,
): Promise<void> {
  const early = new AbortController();
  const unhook = wake?.onRing(() => early.abort());
  try {
    await clock.sleep(span, { signal: AbortSignal.any([signal, early.signal]) });
  } catch (error) {
    if (!signal.aborted && !early.signal.aborted) throw error;
  } finally {
    unhook?.();
  }
}

/** A bell: whoever has news rings, whoever waits is woken. A ring while nobody waits is kept for the next wait. */
export class Wake {
  #ear: (() => void) | undefined;
  #missed = false;

  ring(): void {
    if (this.#ear) this.#ear();
    else this.#missed = true;
  }

  answered(): void {
    this.#missed = false;
  }

  onRing(ear: () => void): () => void {
    this.#ear = ear;
    if (this.#missed) {
      this.#missed = false;
      ear();
    }
    return () => {
      this.#ear = undefined;
    };
  }
}
