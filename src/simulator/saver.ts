/**
 * Saves what has changed: at once where nothing was saved just before, and never so often that it takes more than a tenth
 * of the time. What is still owed is saved at the end.
 */
import type { Clock } from '../core/clock.ts';
import { systemClock } from '../core/clock.ts';
import { milliseconds } from '../core/duration.ts';

export interface Saver extends Disposable {
  changed(): void;
}

/** Of its time. */
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
    // It rejects at the end only.
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
