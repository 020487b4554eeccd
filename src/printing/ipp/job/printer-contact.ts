/**
 * Whether a printer that has a job of ours is still heard. Who stands there is told soon after it fell silent, long
 * before anything is concluded from that.
 */
import type { Clock } from '../../../core/clock.ts';
import { milliseconds } from '../../../core/duration.ts';
import { jobPolls, silenceNotice } from '../../timings.ts';

/** `stands`: it waits for somebody with a job in hand; `goes-on`: it does so no more. */
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
  /** One that answers slowly is not taken for one that is gone. */
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
