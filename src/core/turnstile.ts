/** Lets a fixed number in at a time; the others wait in the order of their arrival. */
interface Waiting {
  readonly signal: AbortSignal;
}

export interface Turnstile {
  /** Resolves to the place; disposing it gives it to the next. It rejects only by the signal. */
  enter(options: Waiting): Promise<Disposable>;
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

/** A turnstile of one place for each key: callers with the same key enter one at a time. */
export class Turns {
  /** An entry exists only while a caller is in or waits. */
  readonly #stiles = new Map<string, { readonly stile: Turnstile; guests: number }>();

  async enter(key: string, options: Waiting): Promise<Disposable> {
    const at = this.#stiles.get(key) ?? { stile: turnstile(1), guests: 0 };
    this.#stiles.set(key, at);
    const leave = () => {
      at.guests -= 1;
      if (at.guests === 0) this.#stiles.delete(key);
    };
    at.guests += 1;
    using entering = new DisposableStack();
    entering.defer(leave);
    entering.use(await at.stile.enter(options));
    return entering.move();
  }
}
