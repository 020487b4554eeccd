/** Reads octets from the front to the back, never beyond what is there nor beyond what a message may measure. */

/** Caps of what is taken from the other side (reliability.md T14). */
export const limits = {
  /** Octets from the version to end-of-attributes. */
  octets: 4 * 1024 * 1024,
  /** Attributes in all groups. */
  attributes: 10_000,
  /** Values in all, those in collections included. */
  values: 100_000,
  collectionDepth: 8,
  /** A value-length or name-length is a SIGNED-SHORT (RFC 8010 section 3.4). */
  field: 0x7fff,
} as const;

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
  #offset = 0;

  constructor(octets: Uint8Array) {
    this.#octets = Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength);
  }

  get offset(): number {
    return this.#offset;
  }

  get rest(): Buffer {
    return this.#octets.subarray(this.#offset);
  }

  uint8(what: string, section: string): number {
    return this.take(1, what, section).readUInt8();
  }

  uint16(what: string, section: string): number {
    return this.take(2, what, section).readUInt16BE();
  }

  int32(what: string, section: string): number {
    return this.take(4, what, section).readInt32BE();
  }

  /** A length and so many octets. */
  field(what: string, section: string): Buffer {
    const offset = this.#offset;
    const length = this.uint16(`${what}-length`, section);
    if (length > limits.field) {
      throw new DecodeError(`a ${what}-length of ${length} is above ${limits.field}`, {
        offset,
        section: '3.4',
      });
    }
    return this.take(length, what, section);
  }

  take(count: number, what: string, section: string): Buffer {
    const offset = this.#offset;
    const end = offset + count;
    if (end > limits.octets) {
      throw new DecodeError(`a message of more than ${limits.octets} octets`, { offset, section: '3.1' });
    }
    if (end > this.#octets.length) {
      throw new DecodeError(`the octets end within ${what}`, { offset, section, truncated: true });
    }
    this.#offset = end;
    return this.#octets.subarray(offset, end);
  }
}
