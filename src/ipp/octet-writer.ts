/**
 * Octets written from the front to the back into one buffer that grows. Throws `RangeError` for a number or a length
 * that has no encoding.
 */

/** A length is a SIGNED-SHORT (RFC 8010 section 3.4). */
const longestField = 0x7fff;

/** What most requests fit in. */
const firstCapacity = 1024;

export class OctetWriter {
  #octets = Buffer.allocUnsafe(firstCapacity);
  #length = 0;

  /** What was written; the writer is not to be used after it. */
  finish(): Buffer {
    return this.#octets.subarray(0, this.#length);
  }

  uint8(number: number): void {
    checkRange(number, 0, 0xff);
    this.#reserve(1);
    this.#octets[this.#length++] = number;
  }

  int8(number: number): void {
    checkRange(number, -0x80, 0x7f);
    this.#reserve(1);
    this.#octets[this.#length++] = number;
  }

  uint16(number: number): void {
    checkRange(number, 0, 0xffff);
    this.#reserve(2);
    this.#octets[this.#length++] = number >> 8;
    this.#octets[this.#length++] = number;
  }

  int32(number: number): void {
    checkRange(number, -0x8000_0000, 0x7fff_ffff);
    this.#reserve(4);
    for (let shift = 24; shift >= 0; shift -= 8) this.#octets[this.#length++] = number >> shift;
  }

  /** Whatever is written in it, with its length before it. */
  counted(write: () => void): void {
    const at = this.#length;
    this.uint16(0);
    write();
    this.#count(at);
  }

  /** The octets with their length before them. */
  octets(octets: Uint8Array): void {
    const at = this.#length;
    this.#reserve(2 + octets.length);
    this.#octets.set(octets, at + 2);
    this.#length += 2 + octets.length;
    this.#count(at);
  }

  /** The text as UTF-8 with its length before it. */
  text(text: string): void {
    if (!this.#wroteUnits(text, 0x7f)) this.octets(Buffer.from(text));
  }

  /** The text as Latin-1 with its length before it. */
  latin1(text: string): void {
    if (!this.#wroteUnits(text, 0xff)) throw new RangeError(`${text} is more than Latin-1`);
  }

  /**
   * An octet for each unit, if none is above the highest. Nearly all texts are keywords of some twenty letters: this
   * loop is through before a native writer would have been entered.
   */
  #wroteUnits(text: string, highest: number): boolean {
    const { length } = text;
    this.#reserve(2 + length);
    const octets = this.#octets;
    let at = this.#length;
    octets[at++] = length >> 8;
    octets[at++] = length;
    for (let index = 0; index < length; index += 1) {
      const unit = text.charCodeAt(index);
      if (unit > highest) return false;
      octets[at++] = unit;
    }
    if (length > longestField) throw tooLong(length);
    this.#length = at;
    return true;
  }

  /** Fills in the length that was left open there. */
  #count(at: number): void {
    const length = this.#length - at - 2;
    if (length > longestField) throw tooLong(length);
    this.#octets[at] = length >> 8;
    this.#octets[at + 1] = length;
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#octets.length) return;
    const grown = Buffer.allocUnsafe(Math.max(needed, 2 * this.#octets.length));
    grown.set(this.#octets.subarray(0, this.#length));
    this.#octets = grown;
  }
}

const tooLong = (length: number): RangeError =>
  new RangeError(`a field of ${length} octets is longer than ${longestField} (RFC 8010 section 3.4)`);

function checkRange(number: number, lowest: number, highest: number): void {
  if (number >= lowest && number <= highest) return;
  throw new RangeError(`${number} is not within ${lowest} and ${highest}`);
}
