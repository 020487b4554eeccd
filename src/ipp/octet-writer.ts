/**
 * Octets written from the front to the back into one buffer that grows. Throws `RangeError` for a number or a length
 * that has no encoding.
 */

/** A length is a SIGNED-SHORT (RFC 8010 section 3.4). */
const longestField = 0x7fff;

/** What all requests and most answers fit in, a printer's description of itself included. */
const firstCapacity = 16 * 1024;

export class OctetWriter {
  #octets = Buffer.allocUnsafe(firstCapacity);
  /** The same octets, for numbers. */
  #view = viewOf(this.#octets);
  #length = 0;

  /** What was written; the writer is not to be used after it. */
  finish(): Buffer {
    return this.#octets.subarray(0, this.#length);
  }

  uint8(number: number): void {
    checkRange(number, 0, 0xff);
    const at = this.#take(1);
    this.#view.setUint8(at, number);
  }

  int8(number: number): void {
    checkRange(number, -0x80, 0x7f);
    const at = this.#take(1);
    this.#view.setInt8(at, number);
  }

  uint16(number: number): void {
    checkRange(number, 0, 0xffff);
    const at = this.#take(2);
    this.#view.setUint16(at, number);
  }

  int32(number: number): void {
    checkRange(number, -0x8000_0000, 0x7fff_ffff);
    const at = this.#take(4);
    this.#view.setInt32(at, number);
  }

  /** Whatever is written in it, with its length before it. */
  counted(write: () => void): void {
    const at = this.#take(2);
    write();
    this.#view.setUint16(at, checkedLength(this.#length - at - 2));
  }

  /** The octets with their length before them. */
  octets(octets: Uint8Array): void {
    this.uint16(checkedLength(octets.length));
    const at = this.#take(octets.length);
    this.#octets.set(octets, at);
  }

  /** The text as UTF-8 with its length before it. */
  text(text: string): void {
    if (!this.#writeUnits(text, 0x7f)) this.octets(Buffer.from(text));
  }

  /** The text as Latin-1 with its length before it. */
  latin1(text: string): void {
    if (!this.#writeUnits(text, 0xff)) throw new RangeError(`${text} is more than Latin-1`);
  }

  /** An octet for each unit, with their number before them; `false`, and nothing is written, if one is too high. */
  #writeUnits(text: string, highest: number): boolean {
    const at = this.#take(2 + text.length);
    if (!copyUnits(text, highest, this.#octets, at + 2)) {
      this.#length = at;
      return false;
    }
    this.#view.setUint16(at, checkedLength(text.length));
    return true;
  }

  /** Gives where so many octets are to be written. */
  #take(count: number): number {
    const at = this.#length;
    const end = at + count;
    if (end > this.#octets.length) this.#grow(end);
    this.#length = end;
    return at;
  }

  #grow(needed: number): void {
    const grown = Buffer.allocUnsafe(Math.max(needed, 2 * this.#octets.length));
    grown.set(this.#octets.subarray(0, this.#length));
    this.#octets = grown;
    this.#view = viewOf(grown);
  }
}

/**
 * Nearly all texts are keywords of some twenty letters: this loop is through before a native writer would have been
 * entered.
 */
function copyUnits(text: string, highest: number, octets: Buffer, at: number): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > highest) return false;
    octets[at + index] = unit;
  }
  return true;
}

const viewOf = ({ buffer, byteOffset, byteLength }: Buffer): DataView =>
  new DataView(buffer, byteOffset, byteLength);

function checkedLength(length: number): number {
  if (length <= longestField) return length;
  throw new RangeError(`a field of ${length} octets is longer than ${longestField} (RFC 8010 section 3.4)`);
}

function checkRange(number: number, lowest: number, highest: number): void {
  if (number >= lowest && number <= highest) return;
  throw new RangeError(`${number} is not within ${lowest} and ${highest}`);
}
