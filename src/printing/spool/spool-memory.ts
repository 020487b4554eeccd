/**
 * The memory that all documents of an agent share on their way to the printers. A document that gets none goes to the
 * disk.
 */
export class SpoolMemory {
  #left: number;

  /** In octets. */
  constructor(size: number) {
    this.#left = size;
  }

  /** Whether there was room for this many octets; they then belong to the caller. */
  take(octets: number): boolean {
    if (!this.has(octets)) return false;
    this.#left -= octets;
    return true;
  }

  has(octets: number): boolean {
    return octets <= this.#left;
  }

  give(octets: number): void {
    this.#left += octets;
  }
}
