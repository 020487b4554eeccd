/**
 * Writes octets in order into one buffer that grows. It throws `RangeError` for a number or a length that has no
 * encoding.
 */

/** A length is a SIGNED-SHORT (RFC 8010 section 3.4). */
const longestField = 0x7fff;

/** All requests and most answers fit in this, including a printer's description of itself. */
const firstCapacity = 16 * 1024;

export class OctetWriter {
  #octets = Buffer.allocUnsafe(firstCapacity);
  #view = viewOf(this.#octets);
  #length = 0;

  /** The octets written so far. The writer must not be used afterwards. */
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

  /** Writes a length of two octets and then the octets that `write` writes. */
  counted(write: () => void): void {
    const at = this.#take(2);
    write();
    this.#view.setUint16(at, checkedLength(this.#length - at - 2));
  }

  octets(octets: Uint8Array): void {
    this.uint16(checkedLength(octets.length));
    const at = this.#take(octets.length);
    this.#octets.set(octets, at);
  }

  /** UTF-8 with the length before it. */
  text(text: string): void {
    if (!this.#writeUnits(text, 0x7f)) this.octets(Buffer.from(text));
  }

  /** Latin-1 with the length before it. */
  latin1(text: string): void {
    if (!this.#writeUnits(text, 0xff)) throw new RangeError(`${text} is more than Latin-1`);
  }

  /**
   * Writes the number of units and then one octet for each unit. `false`: a unit is above `highest`, and nothing is
   * written.
   */
  #writeUnits(text: string, highest: number): boolean {
    const at = this.#take(2 + text.length);
    if (!copyUnits(text, highest, this.#octets, at + 2)) {
      this.#length = at;
      return false;
    }
    this.#view.setUint16(at, checkedLength(text.length));
    return true;
  }

  /** Reserves this many octets and gives their offset. */
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

/** Nearly all texts are keywords of about twenty letters. This loop ends before a native writer would have begun. */
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
