/**
 * What a simulated piece tells its audience: sentences for a person (`onEvent`), and a bell for a test that waits
 * until something holds (`waitFor`). No polling: a wait looks again only when something has changed.
 */
import { systemClock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { minutes } from '../core/duration.ts';
import { printable } from '../core/text/printable.ts';

type Listener = (sentence: string) => void;

/** What the simulated cloud, printer and reader offer in common. */
export interface Audience {
  /** Plain sentences, one an event, with nothing in them that a terminal would obey. Returns the way to stop listening. */
  onEvent(listener: Listener): () => void;
  /**
   * Resolves once the predicate holds; rejects with a `TimeoutError` after the time (one minute). That is the system's
   * time, also where the piece itself lives by another clock: the one who waits is no part of what is played.
   */
  waitFor(holds: () => boolean, options?: { timeout?: Duration }): Promise<void>;
}

export interface News {
  readonly audience: Audience;
  tell(sentence: string): void;
  /** Something that somebody may wait for has changed. */
  changed(): void;
  /** Resolves once the predicate holds; rejects with the signal's reason when that comes first. */
  until(holds: () => boolean, signal: AbortSignal): Promise<void>;
}

export function createNews(): News {
  const listeners = new Set<Listener>();
  const watchers = new Set<() => void>();
  const changed = () => {
    for (const look of watchers) look();
  };
  const until = async (holds: () => boolean, signal: AbortSignal) => {
    signal.throwIfAborted();
    if (holds()) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const look = () => {
      try {
        if (holds()) resolve();
      } catch (error) {
        reject(error);
      }
    };
    const giveUp = () => reject(signal.reason);
    watchers.add(look);
    signal.addEventListener('abort', giveUp);
    try {
      await promise;
    } finally {
      watchers.delete(look);
      signal.removeEventListener('abort', giveUp);
    }
  };
  return {
    audience: {
      onEvent(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      waitFor: (holds, options) => until(holds, systemClock.deadline(options?.timeout ?? minutes(1))),
    },
    tell(sentence) {
      const told = printable(sentence);
      for (const listener of listeners) listener(told);
      changed();
    },
    changed,
    until,
  };
}
