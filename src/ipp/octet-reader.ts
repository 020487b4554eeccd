/** Reads octets in order. It never reads past the end of the octets or past the longest message. */
import { isUtf8 } from 'node:buffer';

/** Caps for what the other side sends (INVARIANTS.md T14). */
export const limits = {
  /** Octets from the version to end-of-attributes. */
  octets: 4 * 1024 * 1024,
  attributes: 10_000,
  /** All values, including values in collections. */
  values: 100_000,
  collectionDepth: 8,
  /** Broken parts of one answer that are skipped. */
  skipped: 1000,
  /** A value-length or name-length is a SIGNED-SHORT (RFC 8010 section 3.4). */
  field: 0x7fff,
} as const;

/**
 * Up to this length all octets become one string, and each text is cut out of it. That is eight times as fast as a
 * string for each text. A text that is kept keeps the whole string in memory; this limit bounds that.
 */
const longestCharacters = 64 * 1024;

export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  /** The offset of the octet where reading stopped. */
  readonly offset: number;
  /** The octets are correct so far but end too early: more octets may complete the message. */
  readonly truncated: boolean;

  constructor(message: string, where: { offset: number; section: string; truncated?: true }) {
    super(`${message} at octet ${where.offset} (RFC 8010 section ${where.section})`);
    this.offset = where.offset;
    this.truncated = where.truncated ?? false;
  }
}

export class OctetReader {
  readonly #octets: Buffer;
  readonly #view: DataView;
  /** All octets as Latin-1. */
  readonly #characters: string | undefined;
  /** Reading stops at this offset. */
  readonly #end: number;
  #offset = 0;

  constructor(octets: Uint8Array) {
    this.#octets = Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength);
    this.#view = new DataView(octets.buffer, octets.byteOffset, octets.byteLength);
    this.#end = Math.min(octets.length, limits.octets);
    if (octets.length <= longestCharacters) this.#characters = this.#octets.toString('latin1');
  }

  get offset(): number {
    return this.#offset;
  }

  get rest(): Buffer {
    return this.#octets.subarray(this.#offset);
  }

  get isAtEnd(): boolean {
    return this.#offset === this.#octets.length;
  }

  /** Returns to the beginning of a part that has to be read in another way. */
  goBack(offset: number): void {
    this.#offset = offset;
  }

  uint8(what: string, section: string): number {
    return this.#view.getUint8(this.#take(1, what, section));
  }

  uint16(what: string, section: string): number {
    return this.uint16At(this.#take(2, what, section));
  }

  int32(what: string, section: string): number {
    return this.#view.getInt32(this.#take(4, what, section));
  }

  /**
   * Reads a length and that many octets. Gives the offset of the first; the last is before the reader's new offset.
   *
   * +--------------+-----------------+
   * |   length N   |     octets      |
   * +--------------+-----------------+
   * |   2 octets   |    N octets     |
   */
  field(what: string, section: string): number {
    const length = this.uint16(what, section);
    if (length > limits.field) {
      throw new DecodeError(`a ${what}-length of ${length} is above ${limits.field}`, {
        offset: this.#offset - 2,
        section: '3.4',
      });
    }
    return this.#take(length, what, section);
  }

  latin1Field(what: string, section: string): string {
    return this.latin1(this.field(what, section), this.#offset);
  }

  /** The octets from `from` to before `to`, as a copy: a caller that keeps them does not keep the whole message. */
  octets(from: number, to: number): Buffer {
    return Buffer.from(this.#octets.subarray(from, to));
  }

  latin1(from: number, to: number): string {
    return this.#characters?.slice(from, to) ?? this.#octets.toString('latin1', from, to);
  }

  /** `undefined` if the octets are not UTF-8. */
  utf8(from: number, to: number): string | undefined {
    if (this.#isAscii(from, to)) return this.latin1(from, to);
    return isUtf8(this.#octets.subarray(from, to)) ? this.#octets.toString('utf8', from, to) : undefined;
  }

  /** This and the next three read a number inside a field that was already read, so they check no bounds. */
  uint8At(offset: number): number {
    return this.#view.getUint8(offset);
  }

  int8At(offset: number): number {
    return this.#view.getInt8(offset);
  }

  uint16At(offset: number): number {
    return this.#view.getUint16(offset);
  }

  int32At(offset: number): number {
    return this.#view.getInt32(offset);
  }

  #isAscii(from: number, to: number): boolean {
    const octets = this.#octets;
    for (let offset = from; offset < to; offset += 1) {
      if ((octets[offset] ?? 0) > 0x7f) return false;
    }
    return true;
  }

  #take(count: number, what: string, section: string): number {
    const offset = this.#offset;
    const end = offset + count;
    if (end > this.#end) throw this.#beyond(end, what, section);
    this.#offset = end;
    return offset;
  }

  #beyond(end: number, what: string, section: string): DecodeError {
    const offset = this.#offset;
    return end > limits.octets
      ? new DecodeError(`a message of more than ${limits.octets} octets`, { offset, section: '3.1' })
      : new DecodeError(`the octets end within ${what}`, { offset, section, truncated: true });
  }
}
