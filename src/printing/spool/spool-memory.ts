/** Memory that the documents of an agent share on their way to the printers. Whoever gets none goes to the disk. */
export class SpoolMemory {
  #left: number;

  /** In octets. */
  constructor(size: number) {
    this.#left = size;
  }

  /** Whether there was room for so many octets, which are the caller's then. */
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
