/** Reads octets from the front to the back, never beyond what is there nor beyond what a message may measure. */
import { isUtf8 } from 'node:buffer';

/** Caps of what is taken from the other side (INVARIANTS.md T14). */
export const limits = {
  /** Octets from the version to end-of-attributes. */
  octets: 4 * 1024 * 1024,
  /** Attributes in all groups. */
  attributes: 10_000,
  /** Values in all, those in collections included. */
  values: 100_000,
  collectionDepth: 8,
  /** Parts of an answer that are skipped because they break the rules. */
  skipped: 1000,
  /** A value-length or name-length is a SIGNED-SHORT (RFC 8010 section 3.4). */
  field: 0x7fff,
} as const;

/**
 * Up to so many octets are made characters in one go, and each text is cut out of them: that is eight times as fast as
 * making each by itself. A text that is kept keeps all of them, hence the limit.
 */
const longestCharacters = 64 * 1024;

export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  /** Where in the octets reading stopped. */
  readonly offset: number;
  /** The octets ended too early, and were right so far: more of them may make a message. */
  readonly truncated: boolean;

  constructor(message: string, where: { offset: number; section: string; truncated?: true }) {
    super(`${message} at octet ${where.offset} (RFC 8010 section ${where.section})`);
    this.offset = where.offset;
    this.truncated = where.truncated ?? false;
  }
}

export class OctetReader {
  readonly #octets: Buffer;
  /** The same octets, for numbers. */
  readonly #view: DataView;
  /** All octets as Latin-1. */
  readonly #characters: string | undefined;
  /** Nothing is read beyond. */
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

  /** Back to where something began that is to be read as something else. */
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

  /** A length and so many octets: gives where they begin; they end where the reader stands afterwards. */
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

  /** What a field holds, as Latin-1. */
  latin1Field(what: string, section: string): string {
    return this.latin1(this.field(what, section), this.#offset);
  }

  /** The octets from there to before `to`, copied: they may be kept without keeping all others. */
  octets(from: number, to: number): Buffer {
    return Buffer.from(this.#octets.subarray(from, to));
  }

  latin1(from: number, to: number): string {
    return this.#characters?.slice(from, to) ?? this.#octets.toString('latin1', from, to);
  }

  /** `undefined` when they are not UTF-8. */
  utf8(from: number, to: number): string | undefined {
    if (this.#isAscii(from, to)) return this.latin1(from, to);
    return isUtf8(this.#octets.subarray(from, to)) ? this.#octets.toString('utf8', from, to) : undefined;
  }

  /** A number within a field that was read; so the next three. */
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
