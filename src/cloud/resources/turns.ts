/** Takes turns: of the calls that share a key, one is made at a time, in the order they came. */
import type { CallOptions } from '../../domain/ports/call.ts';

/** Rejects with the signal's reason when that aborts before the turn comes; from then on the call listens to it. */
export type Turns = <T>(key: string, call: () => Promise<T>, options: CallOptions) => Promise<T>;

export function createTurns(): Turns {
  /** The last call of each key that has calls. */
  const last = new Map<string, Promise<unknown>>();

  return async (key, call, { signal }) => {
    const before = last.get(key);
    const turn = Promise.allSettled([before]).then(() => {
      signal.throwIfAborted();
      return call();
    });
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
}
