/** Lets so many in at a time; the others wait in the order they came. */
import type { CallOptions } from '../domain/ports/call.ts';

export interface Turnstile {
  /** Resolves to the place, which disposing gives to the next. Rejects by the signal only. */
  enter(options: CallOptions): Promise<Disposable>;
}

export function turnstile(places: number): Turnstile {
  let free = places;
  const waiting: (() => void)[] = [];
  const place = (): Disposable => ({
    [Symbol.dispose]() {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    },
  });

  return {
    async enter({ signal }) {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return place();
      }
      return new Promise((resolve, reject) => {
        const giveUp = () => {
          waiting.splice(waiting.indexOf(enter), 1);
          reject(signal.reason as Error);
        };
        const enter = () => {
          signal.removeEventListener('abort', giveUp);
          resolve(place());
        };
        waiting.push(enter);
        signal.addEventListener('abort', giveUp, { once: true });
      });
    },
  };
}
