/**
 * The releases of a terminal between their beginning and the printer. While one document prints, the next ones are
 * prepared, as long as there is room in memory. Two documents download at a time, so that the line to the service is
 * never idle, and the printer seldom. The documents reach the printer in the order in which they were begun, even if a
 * later one is ready first.
 */
import { aborted } from '../core/service.ts';
import type { Turn } from './turns.ts';

/** More documents would not print sooner. They would be prepared for nothing if the printer has a fault. */
const mostAhead = 8;
const mostComingIn = 2;

interface Place {
  readonly goOn: () => void;
  isComingIn: boolean;
  hasTurn: boolean;
  /** The release has had its turn, or no longer needs it. */
  readonly isThrough: PromiseWithResolvers<void>;
}

export class Ahead {
  readonly #hasRoom: () => boolean;
  /** In the order in which the releases were begun. */
  readonly #places: Place[] = [];

  /** `hasRoom` tells whether memory has room for another document. */
  constructor(hasRoom: () => boolean) {
    this.#hasRoom = hasRoom;
  }

  /** `goOn` lets the next release begin. The caller asks for the returned turn only when its document is ready. */
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

  /** The release that must have its turn first. */
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
    // While this terminal itself waits for documents of other terminals, it prepares no further ones.
    const isPrinting = ahead.length < this.#places.length;
    const comingIn = ahead.filter(({ isComingIn }) => isComingIn).length;
    return isPrinting && ahead.length < mostAhead && comingIn < mostComingIn && this.#hasRoom();
  }
}
