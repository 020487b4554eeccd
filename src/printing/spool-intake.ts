/** One document being received: counted, hashed, recognised, encrypted, and at the end checked for being whole. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { SpooledDocument } from '../domain/ports/printing.ts';
import { Problem } from '../domain/problem.ts';
import { formatOf, formats, sniffedOctets } from './document-format.ts';
import type { SpoolFile } from './spool-file.ts';

/** reliability.md B.4, 5 Download. */
export const longestDocument = 2 * 1024 ** 3;

export class SpoolIntake {
  readonly #file: SpoolFile;
  readonly #announced: number | undefined;
  readonly #hash = createHash('sha256');
  #head = Buffer.alloc(0);
  #length = 0;

  /** `announced` is the Content-Length, where there was one. */
  constructor(file: SpoolFile, announced: number | undefined) {
    this.#file = file;
    this.#announced = announced;
  }

  /** Octets received so far. */
  get length(): number {
    return this.#length;
  }

  /** Octets still to come, as far as they were announced. */
  get missing(): number {
    return Math.max(0, (this.#announced ?? 0) - this.#length);
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

  finish(): SpooledDocument {
    if (this.missing > 0 || this.#length === 0) {
      throw new Problem('document-cut', `${this.#length} of ${this.#announced ?? 'some'} octets came`);
    }
    const format = formatOf(this.#head);
    if (format === formats.html || format === formats.json) {
      throw new Problem('document-not-printable', `the service sent ${format} in place of the document`);
    }
    return spooledDocument(this.#file, {
      length: this.#length,
      digest: this.#hash.digest('hex'),
      format,
    });
  }
}

function spooledDocument(
  file: SpoolFile,
  facts: Pick<SpooledDocument, 'length' | 'digest' | 'format'>,
): SpooledDocument {
  return {
    ...facts,
    read: () => Readable.from(checkedBlocks(file, facts.digest), { objectMode: false }),
    [Symbol.dispose]: () => file[Symbol.dispose](),
  };
}

/** The last block is held back until the digest is right: a damaged document never reaches the printer whole. */
async function* checkedBlocks(file: SpoolFile, digest: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let held: Buffer | undefined;
  for await (const block of file.blocks()) {
    hash.update(block);
    if (held) yield held;
    held = block;
  }
  if (hash.digest('hex') !== digest) {
    throw new Problem('spool-failed', 'the spool file is not what was written to it');
  }
  if (held) yield held;
}

const tooLarge = () =>
  new Problem('document-too-large', `the document is longer than ${longestDocument} octets`);
