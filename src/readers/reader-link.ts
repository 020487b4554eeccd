/** Whether a reader is there: told once when it comes and once when it goes; and how often to try to have it back. */
import type { Clock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { forEver, minutes, seconds } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import type { Progress } from '../core/service.ts';
import type { CardReaderEvents } from '../domain/ports/readers.ts';
import { Problem } from '../domain/problem.ts';

/** A device that was there so long starts the schedule anew; a loose plug that flaps does not. */
const steadyAfter = seconds(5);

/** Nothing that is done before a device is open takes so long, but a system call that hangs. */
const longestOpening = minutes(5);

export interface ReaderLink {
  /** The device is about to be opened. */
  trying(): void;
  up(): void;
  down(cause: unknown): void;
}

interface LinkTools {
  readonly name: string;
  readonly log: Log;
  readonly events: CardReaderEvents;
  /** Of a reader that is opened, or is not, in a moment; absent where it is waited for. */
  readonly progress?: Progress | undefined;
}

export function createReaderLink({ name, log, events, progress }: LinkTools): ReaderLink {
  let state: 'unknown' | 'up' | 'down' = 'unknown';
  return {
    trying: () => progress?.(longestOpening),
    up() {
      progress?.(forEver);
      if (state === 'up') return;
      state = 'up';
      log.info('reader up', { reader: name });
      events.onUp();
    },
    down(cause) {
      const problem = new Problem('reader-unavailable', reasonOf(cause), { cause });
      if (state === 'down') return log.debug('reader still down', { reader: name, error: problem });
      state = 'down';
      log.warn('reader down', { reader: name, error: problem });
      events.onDown(problem);
    },
  };
}

/** serialport's own errors begin with `Error: `. */
const reasonOf = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).replace(/^Error:? /, '');

/** Sessions that end by rejecting begin again after the wait, until the signal aborts. */
export async function keepTrying(
  session: (signal: AbortSignal) => Promise<void>,
  {
    link,
    clock,
    waitAfter,
  }: { readonly link: ReaderLink; readonly clock: Clock; waitAfter(failures: number): Duration },
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const begunAt = clock.monotonic();
    link.trying();
    try {
      await session(signal);
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
