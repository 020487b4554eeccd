/**
 * Turns for the octets of all documents that come in. They are examined and hashed on the thread that also answers
 * people. Without turns, each round of the event loop works on every document that has octets. With turns, it works on a few
 * octets, and then does everything else that waits, so a page is printed while 32 large documents come in.
 */

/** In octets; about a millisecond of work. */
const mostAtOnce = 128 * 1024;

interface Waiting {
  readonly octets: number;
  go(): void;
}

export class ByteTurns {
  readonly #waiting: Waiting[] = [];
  #left = mostAtOnce;
  #isRenewing = false;

  /** Resolves when these octets may be worked on: at once, or after what waits in the event loop, in the order asked. */
  async turn(octets: number): Promise<void> {
    this.#renewLater();
    if (this.#left > 0 && this.#waiting.length === 0) this.#left -= octets;
    else await new Promise<void>((go) => this.#waiting.push({ octets, go }));
  }

  #renewLater(): void {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    setImmediate(() => this.#renew());
  }

  #renew(): void {
    this.#isRenewing = false;
    this.#left = mostAtOnce;
    for (let next = this.#waiting[0]; next && this.#left > 0; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#left -= next.octets;
      next.go();
    }
    if (this.#left < mostAtOnce) this.#renewLater();
  }
}
