/**
 * Whether a printer with a job of ours still answers. The user at the terminal is told soon after it falls silent, long
 * before any conclusion is drawn.
 */
import type { Clock } from '../../../core/clock.ts';
import { milliseconds } from '../../../core/duration.ts';
import { jobPolls, silenceNotice } from '../../timings.ts';

/** `stands`: it has a job and waits for a person; `goes-on`: that is over. */
export type Contact = 'lost' | 'back' | 'stands' | 'goes-on';

export interface PrinterContact extends Disposable {
  asked(): void;
  heard(): void;
}

export function printerContact({
  clock,
  onContact,
}: {
  readonly clock: Clock;
  readonly onContact: (contact: 'lost' | 'back') => void;
}): PrinterContact {
  let isLost = false;
  let askedAt = clock.monotonic();
  /** A slow printer must not count as gone. */
  let slowest = 0;
  let timer: unknown;

  function wait(): void {
    clock.clearTimeout(timer);
    timer = clock.setTimeout(
      () => {
        isLost = true;
        onContact('lost');
      },
      milliseconds(Math.max(silenceNotice, jobPolls.longest + 2 * slowest)),
    );
  }
  wait();

  return {
    asked() {
      askedAt = clock.monotonic();
    },
    heard() {
      if (isLost) onContact('back');
      else slowest = Math.max(slowest, clock.monotonic() - askedAt);
      isLost = false;
      wait();
    },
    [Symbol.dispose]: () => clock.clearTimeout(timer),
  };
}
