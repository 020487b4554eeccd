/**
 * The link of a reader: it reports once when the reader comes, once when it goes, and again when the reason changes.
 * `keepTrying` connects again after a failure.
 */
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { inSeconds, seconds } from '../../core/duration.ts';
import { aborted } from '../../core/service.ts';
import type { Log } from '../../core/log.ts';
import type { CardReaderEvents } from '../../domain/ports/readers.ts';
import { Problem } from '../../domain/problem/problem.ts';

/** A device that was up for so long starts the retry schedule anew. A loose plug does not. */
const steadyAfter = seconds(5);

/** Opening a device never takes so long, unless a system call hangs. */
export const longestOpening = seconds(15);

export interface ReaderLink {
  up(): void;
  /** The opening has neither succeeded nor failed in time. */
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

/** The messages of serialport's own errors begin with `Error: `. */
const reasonOf = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).replace(/^Error:? /, '');

interface Trying {
  readonly link: ReaderLink;
  readonly clock: Clock;
  waitAfter(failures: number): Duration;
  /**
   * The time limit for opening a device; absent if the session itself waits for the reader to come. A hanging device is
   * only reported. The agent is not restarted, because people may be using the other terminals.
   */
  readonly opensWithin?: Duration;
  /** Resolves when a device may have come: then the wait is over. Absent if nothing tells of devices. */
  readonly arrival?: (signal: AbortSignal) => Promise<void>;
}

/** Runs sessions until the signal aborts. After a session that rejects, it waits and starts the next one. */
export async function keepTrying(
  session: (signal: AbortSignal) => Promise<void>,
  { link, clock, waitAfter, opensWithin, arrival = aborted }: Trying,
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
      const over = new AbortController();
      const during = AbortSignal.any([signal, over.signal]);
      const hasCome = arrival(during).then(() => true);
      // What has come may not be open to us yet.
      if (await Promise.race([rest(waitAfter(failures), clock, during), hasCome])) failures = 0;
      over.abort();
    }
  }
}

/** Sleeps, but returns early when the signal aborts. */
export const rest = (span: Duration, clock: Clock, signal: AbortSignal): Promise<void> =>
  clock.sleep(span, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
