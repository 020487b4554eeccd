/**
 * Does one duty again and again until it is stopped. After a success it waits for the interval, after a failure for the
 * retry schedule. It never swallows an error: `onFailure` gets each one.
 */
import type { Chance } from './chance.ts';
import type { Clock } from './clock.ts';
import type { Duration } from './duration.ts';
import { milliseconds, minutes } from './duration.ts';
import type { RetrySchedule } from './retry-schedule.ts';
import { waitBefore } from './retry-schedule.ts';
import type { Progress } from './service.ts';

export interface Periodic {
  /** The duty: it resolves on success and rejects on failure. */
  attempt(signal: AbortSignal): Promise<void>;
  interval: Duration;
  retry: RetrySchedule;
  /** May change the wait before the next try, for example for a Retry-After. */
  onFailure(error: unknown, wait: Duration): Duration | undefined;
  /** Ends a wait early, because there is news for the duty. */
  wake?: Wake;
  /** An attempt that is due is put off for this span; a ring asks again. If absent, no attempt is put off. */
  untilTurn?(): Duration;
}

/**
 * Far more than any attempt takes, because each of its calls has a deadline. Only an attempt that hangs takes longer.
 */
const longestAttempt = minutes(15);
/** An attempt may be this late before the duty counts as stuck. */
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
    // This attempt answers every ring until now; a ring during the attempt needs another attempt.
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

/** Without a reason of its own each ring would make an error with its stack. */
const rung = 'rung';

/** Resolves after the span, or as soon as the bell rings or the signal aborts. */
export async function restOrWake(
  span: Duration,
  { clock, wake }: { readonly clock: Clock; readonly wake: Wake | undefined },
  signal: AbortSignal,
): Promise<void> {
  const early = new AbortController();
  const unhook = wake?.onRing(() => early.abort(rung));
  try {
    await clock.sleep(span, { signal: AbortSignal.any([signal, early.signal]) });
  } catch (error) {
    if (!signal.aborted && !early.signal.aborted) throw error;
  } finally {
    unhook?.();
  }
}

/** A bell that wakes the waiting side. A ring while no side waits is kept for the next wait. */
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
