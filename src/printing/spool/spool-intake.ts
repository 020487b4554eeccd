/** One document being received: counted, hashed, recognised, encrypted, and at the end checked for being whole. */
import { createHash } from 'node:crypto';
import { Problem } from '../../domain/problem.ts';
import { formatOf, formats, sniffedOctets } from '../document-format.ts';
import type { SpoolFile } from './spool-file.ts';

/** reliability.md B.4, 5 Download. */
export const longestDocument = 2 * 1024 ** 3;

export class SpoolIntake {
  readonly #file: SpoolFile;
  readonly #announced: number | undefined;
  readonly #hash = createHash('sha256');
  #head = Buffer.alloc(0);
  #length = 0;

  /** `announced` is the length of the document, where it was told. */
  constructor(file: SpoolFile, announced: number | undefined) {
    this.#file = file;
    this.#announced = announced;
  }

  get announced(): number | undefined {
    return this.#announced;
  }

  /** Octets received so far. */
  get length(): number {
    return this.#length;
  }

  /** Octets still to come, as far as they were announced. */
  get missing(): number {
    return Math.max(0, (this.#announced ?? 0) - this.#length);
  }

  /** SHA-256 of the octets received so far, hex. */
  digest(): string {
    return this.#hash.copy().digest('hex');
  }

  /** By its first octets; throws `document-not-printable` for what is no document. */
  format(): string {
    const format = formatOf(this.#head);
    if (format === formats.html || format === formats.json) {
      throw new Problem('document-not-printable', `the service sent ${format} in place of the document`);
    }
    return format;
  }

  /** Before the first octet: nothing that is too large is begun. */
  checkAnnounced(): void {
    if ((this.#announced ?? 0) > longestDocument) throw tooLarge();
  }

  async take(chunk: Buffer): Promise<void> {
    this.#length += chunk.length;
    if (this.#length > longestDocument) throw tooLarge();
    if (this.#announced !== undefined && this.#length > this.#announced) {
      throw new Problem('document-cut', `more than the ${this.#announced} octets announced came`);
    }
    if (this.#head.length < sniffedOctets) this.#head = Buffer.concat([this.#head, chunk]);
    this.#hash.update(chunk);
    await this.#file.append(chunk);
  }

  /** Why what came is not the whole document; `undefined`: it is. */
  shortfall(): Problem | undefined {
    if (this.missing === 0 && this.#length > 0) return undefined;
    return new Problem('document-cut', `${this.#length} of ${this.#announced ?? 'some'} octets came`);
  }
}

const tooLarge = () =>
  new Problem('document-too-large', `the document is longer than ${longestDocument} octets`);
