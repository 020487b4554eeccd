/**
 * The output of a simulated piece: sentences for a person (`onEvent`), a wait for tests until a condition holds
 * (`waitFor`), and the deviations of its caller. There is no polling: a condition is checked only after a change.
 */
import { systemClock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { minutes } from '../core/duration.ts';
import { printable } from '../core/text/printable.ts';

type Listener = (sentence: string) => void;

/** The part that the simulated cloud, printer and reader have in common. */
export interface Audience {
  /** One plain sentence per event, without control characters. Returns a function that removes the listener. */
  onEvent(listener: Listener): () => void;
  /**
   * Resolves once the predicate holds. Rejects with a `TimeoutError` after the time, by default one minute. It uses the
   * system's time even if the piece has another clock, because the waiting test is not part of the simulation.
   */
  waitFor(holds: () => boolean, options?: { timeout?: Duration }): Promise<void>;
}

export interface News {
  readonly audience: Audience;
  tell(sentence: string): void;
  /** Something has changed, so waiting predicates are checked. */
  changed(): void;
  /** Resolves once the predicate holds. Rejects with the signal's reason if the signal aborts first. */
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
      const shown = printable(sentence);
      for (const listener of listeners) listener(shown);
      changed();
    },
    changed,
    until,
  };
}

export interface Deviations {
  /**
   * For example `POST /api/v1/login: authtype: expected a whole number (spec, Login)`. Only the first ten thousand are
   * kept.
   */
  readonly list: readonly string[];
  note(deviation: { call: string; what: string; section: string }): void;
  forget(): void;
}

const mostKept = 10_000;

/**
 * The strict side of the simulator. A request that violates its standard gets the standard's answer and is also noted
 * as a sentence. A test asserts that the list is empty.
 */
export function createDeviations(onNote: (sentence: string) => void): Deviations {
  const list: string[] = [];
  return {
    list,
    note({ call, what, section }) {
      const sentence = `${printable(call)}: ${printable(what)} (${section})`;
      if (list.length < mostKept) list.push(sentence);
      onNote(sentence);
    },
    forget() {
      list.length = 0;
    },
  };
}
