/**
 * Saves after changes: at once if the last save is long enough ago, and otherwise later, so that saving takes at most
 * about a tenth of the time. An outstanding change is saved at the end.
 */
import type { Clock } from '../core/clock.ts';
import { systemClock } from '../core/clock.ts';
import { milliseconds } from '../core/duration.ts';

export interface Saver extends Disposable {
  changed(): void;
}

/** The rest is this many times as long as the save. */
const share = 10;

export function createSaver(save: () => void, clock: Clock = systemClock): Saver {
  const ending = new AbortController();
  let isOwed = false;
  let isResting = false;

  async function saveAndRest(): Promise<void> {
    isOwed = false;
    isResting = true;
    const since = clock.monotonic();
    save();
    const rest = milliseconds((clock.monotonic() - since) * share);
    // The sleep rejects only at the end.
    await clock.sleep(rest, { signal: ending.signal }).catch(() => undefined);
    isResting = false;
    if (isOwed && !ending.signal.aborted) await saveAndRest();
  }

  return {
    changed() {
      isOwed = true;
      if (!isResting) void saveAndRest();
    },
    [Symbol.dispose]() {
      ending.abort();
      if (isOwed) save();
    },
  };
}
