/** Tells of a key that nobody lets go: something lies on the reader, or it is broken. */
import type { Clock } from '../../core/clock.ts';
import { milliseconds, seconds } from '../../core/duration.ts';

/** No reader, and no person who types, holds a key for so long. */
const stuckAfter = seconds(5);

export interface StuckKeyWatch {
  /** After each read: when the key that is down for longest was pressed, if any is down. Monotonic, in milliseconds. */
  heldSince(at: number | undefined): void;
  /** The device is gone, and its keys with it. */
  close(): void;
}

export function createStuckKeyWatch({
  clock,
  onKey,
}: {
  readonly clock: Clock;
  onKey(state: 'stuck' | 'free'): void;
}): StuckKeyWatch {
  let since: number | undefined;
  let isStuck = false;
  let timer: unknown;

  const look = (): void => {
    clock.clearTimeout(timer);
    const left = since === undefined ? undefined : since + stuckAfter - clock.monotonic();
    if (left !== undefined && left > 0) timer = clock.setTimeout(look, milliseconds(left));
    const wasStuck = isStuck;
    isStuck = left !== undefined && left <= 0;
    if (isStuck !== wasStuck) onKey(isStuck ? 'stuck' : 'free');
  };

  const heldSince = (at: number | undefined): void => {
    if (at === since) return;
    since = at;
    look();
  };

  return { heldSince, close: () => heldSince(undefined) };
}
