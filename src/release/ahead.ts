/**
 * The releases of a terminal between their beginning and the printer. While one prints, the next one is got ready, and
 * further ones as long as they find room in memory: two come in at a time, so that the line to the service is never idle,
 * and the printer seldom. They come to the printer in the order in which they were begun, whichever is ready first.
 */
import { aborted } from '../core/service.ts';
import type { Turn } from './turns.ts';

/** More would not print sooner, and would be given up in vain when the printer has a fault. */
const mostAhead = 8;
const mostComingIn = 2;

interface Place {
  readonly goOn: () => void;
  isComingIn: boolean;
  hasTurn: boolean;
  /** It has had its turn, or needs none any more. */
  readonly isThrough: PromiseWithResolvers<void>;
}

export class Ahead {
  readonly #hasRoom: () => boolean;
  /** In the order in which they were begun. */
  readonly #places: Place[] = [];

  /** `hasRoom`: a further document would find room in memory. */
  constructor(hasRoom: () => boolean) {
    this.#hasRoom = hasRoom;
  }

  /** `goOn`: the next one may be begun. Whoever asks for the turn that is given back has got all ready. */
  enter(turn: Turn, goOn: () => void): Turn {
    const place = { goOn, isComingIn: true, hasTurn: false, isThrough: Promise.withResolvers<void>() };
    this.#places.push(place);
    this.#lookOn();
    return {
      come: async (options) => {
        place.isComingIn = false;
        this.#lookOn();
        await this.#untilFirst(place, options.signal);
        await turn.come(options);
        place.hasTurn = true;
        place.isThrough.resolve();
        this.#lookOn();
      },
      [Symbol.dispose]: () => {
        turn[Symbol.dispose]();
        this.#leave(place);
      },
    };
  }

  async #untilFirst(place: Place, signal: AbortSignal): Promise<void> {
    for (let before = this.#before(place); before; before = this.#before(place)) {
      await Promise.race([before.isThrough.promise, aborted(signal)]);
      signal.throwIfAborted();
    }
  }

  /** The one that has to have its turn first. */
  #before(place: Place): Place | undefined {
    return this.#places.slice(0, this.#places.indexOf(place)).findLast(({ hasTurn }) => !hasTurn);
  }

  #leave(place: Place): void {
    const at = this.#places.indexOf(place);
    if (at >= 0) this.#places.splice(at, 1);
    place.isThrough.resolve();
    this.#lookOn();
  }

  #lookOn(): void {
    const last = this.#places.at(-1);
    if (last && this.#mayGoOn(last)) last.goOn();
  }

  #mayGoOn(last: Place): boolean {
    if (last.hasTurn) return true;
    const ahead = this.#places.filter(({ hasTurn }) => !hasTurn);
    // Who waits for others' documents is not waited for with further ones.
    const isPrinting = ahead.length < this.#places.length;
    const comingIn = ahead.filter(({ isComingIn }) => isComingIn).length;
    return isPrinting && ahead.length < mostAhead && comingIn < mostComingIn && this.#hasRoom();
  }
}
