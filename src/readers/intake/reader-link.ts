/**
 * Whether a reader is there: told once when it comes, and once when it goes or stays away for another reason; and how often
 * to try to have it back.
 */
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { inSeconds, seconds } from '../../core/duration.ts';
import type { Log } from '../../core/log.ts';
import type { CardReaderEvents } from '../../domain/ports/readers.ts';
import { Problem } from '../../domain/problem/problem.ts';

/** A device that was there so long starts the schedule anew; a loose plug that flaps does not. */
const steadyAfter = seconds(5);

/** Nothing that is done to open a device takes so long, but a system call that hangs. */
export const longestOpening = seconds(15);

export interface ReaderLink {
  up(): void;
  /** It neither opened nor failed. */
  hangs(): void;
  down(cause: unknown): void;
}

interface LinkTools {
  readonly name: string;
  readonly log: Log;
  readonly events: CardReaderEvents;
}

export function createReaderLink({ name, log, events }: LinkTools): ReaderLink {
  let state: 'unknown' | 'up' | 'down' = 'unknown';
  let reason: string | undefined;
  const link: ReaderLink = {
    up() {
      if (state === 'up') return;
      state = 'up';
      log.info('reader up', { reader: name });
      events.onUp();
    },
    hangs() {
      if (state !== 'up') link.down(new Error(hanging));
    },
    down(cause) {
      const problem = new Problem('reader-unavailable', reasonOf(cause), { cause });
      if (state !== 'down') log.warn('reader down', { reader: name, error: problem });
      else log.debug('reader still down', { reader: name, error: problem });
      const isNews = state !== 'down' || problem.message !== reason;
      state = 'down';
      reason = problem.message;
      if (isNews) events.onDown(problem);
    },
  };
  return link;
}

const hanging =
  `it does not open within ${inSeconds(longestOpening)} s. Unplug it and plug it in again. ` +
  'If that does not help, restart Platen';

/** serialport's own errors begin with `Error: `. */
const reasonOf = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).replace(/^Error:? /, '');

interface Trying {
  readonly link: ReaderLink;
  readonly clock: Clock;
  waitAfter(failures: number): Duration;
  /**
   * Within so long a device is open or has failed; absent where somebody is waited for. One that hangs is told of, and
   * no reason to start the agent again: the other terminals have people at them.
   */
  readonly opensWithin?: Duration;
}

/** Sessions that end by rejecting begin again after the wait, until the signal aborts. */
export async function keepTrying(
  session: (signal: AbortSignal) => Promise<void>,
  { link, clock, waitAfter, opensWithin }: Trying,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const begunAt = clock.monotonic();
    const limit = opensWithin && clock.setTimeout(link.hangs, opensWithin);
    try {
      await session(signal).finally(() => clock.clearTimeout(limit));
    } catch (cause) {
      if (signal.aborted) return;
      failures = clock.monotonic() - begunAt >= steadyAfter ? 1 : failures + 1;
      link.down(cause);
      await rest(waitAfter(failures), clock, signal);
    }
  }
}

/** Sleeps; returns early when the signal aborts. */
export const rest = (span: Duration, clock: Clock, signal: AbortSignal): Promise<void> =>
  clock.sleep(span, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
