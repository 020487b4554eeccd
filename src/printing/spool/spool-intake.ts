/**
 * One document being received: it is counted, hashed, recognised, searched for printer commands, stored, and finally
 * checked to be whole. Every printed document, over any protocol, comes through here.
 */
import { createHash } from 'node:crypto';
import type { DocumentDemand } from '../../domain/ports/printing.ts';
import { Problem } from '../../domain/problem/problem.ts';
import type { Examination } from '../document-examination.ts';
import { examinationOf } from '../document-examination.ts';
import { beginsPlainly, formatOf, formats, sniffedOctets } from '../document-format.ts';
import { pjlGuard } from '../pjl-guard.ts';
import { PostscriptJudgement } from '../postscript/judgement.ts';
import { secondBeginning } from '../second-beginning.ts';
import type { SpoolFile } from './spool-file.ts';

/** INVARIANTS.md B.4, 5 Download. */
export const longestDocument = 2 * 1024 ** 3;

export class SpoolIntake {
  readonly #file: Pick<SpoolFile, 'append'>;
  readonly #announced: number | undefined;
  readonly #hash = createHash('sha256');
  readonly #guard = pjlGuard();
  readonly #postscript = new PostscriptJudgement();
  readonly #second = secondBeginning();
  #isPostscript = false;
  #isPlain = true;
  #isAhead = false;
  #head = Buffer.alloc(0);
  /** Set once enough octets are here. */
  #format: string | undefined;
  #examination: Examination | undefined;
  #length = 0;

  /** `announced` is the length of the document, if it was told. */
  constructor(file: Pick<SpoolFile, 'append'>, announced: number | undefined) {
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

  /** Octets still to come, if the length was announced. */
  get missing(): number {
    return Math.max(0, (this.#announced ?? 0) - this.#length);
  }

  /** SHA-256 of the octets received so far, in hexadecimal. */
  digest(): string {
    return this.#hash.copy().digest('hex');
  }

  /** By the first octets; throws `document-not-printable` if this is not a document. */
  format(): string {
    if (this.#format !== undefined) return this.#format;
    const format = formatOf(this.#head);
    if (format === formats.html || format === formats.json) {
      throw new Problem('document-not-printable', `the service sent ${format} in place of the document`);
    }
    return format;
  }

  /** Before the first octet, so that no document that is too large is begun. */
  checkAnnounced(): void {
    if ((this.#announced ?? 0) > longestDocument) throw tooLarge();
  }

  async take(chunk: Buffer): Promise<void> {
    this.#length += chunk.length;
    if (this.#length > longestDocument) throw tooLarge();
    if (this.#announced !== undefined && this.#length > this.#announced) {
      throw new Problem('document-cut', `more than the ${this.#announced} octets announced came`);
    }
    // Before the octets can be read: a refused document never reaches a printer.
    this.#guard.see(chunk);
    this.#second.see(chunk);
    this.#examine(chunk);
    if (this.#examination === undefined || this.#isPostscript) this.#postscript.see(chunk);
    if (this.#isAhead && this.holds('hidden-program')) {
      throw new Problem(
        'document-not-printable',
        'the document contains another document, which may be PostScript',
      );
    }
    this.#hash.update(chunk);
    await this.#file.append(chunk);
  }

  #examine(chunk: Buffer): void {
    if (this.#examination) {
      this.#examination.see(chunk);
      return;
    }
    this.#head = Buffer.concat([this.#head, chunk]);
    if (this.#head.length >= sniffedOctets) this.#examined();
  }

  /** By the format of the first octets; all octets are here, or enough to find the format. */
  #examined(): Examination {
    if (this.#examination) return this.#examination;
    const format = this.format();
    this.#isPostscript = format === formats.postscript;
    this.#isPlain = beginsPlainly(this.#head, format);
    const examination = examinationOf(format);
    examination.see(this.#head);
    this.#head = Buffer.from(this.#head.subarray(0, sniffedOctets));
    this.#format = format;
    this.#examination = examination;
    return examination;
  }

  holds(what: DocumentDemand): boolean {
    if (what === 'printer-commands') return this.#guard.hasMetPjl();
    this.#examined();
    if (this.#isPostscript && !this.#postscript.isKnown()) return true;
    return !this.#isPlain || this.#guard.hasMetAnother() || this.#second.isOtherThan(this.format());
  }

  /**
   * Whether the document may be printed while it still comes in, judged by the octets that are here. PostScript can be
   * judged only when it is whole.
   */
  goAhead(): boolean {
    this.#examined();
    this.#isAhead = !this.#isPostscript && !this.holds('hidden-program');
    return this.#isAhead;
  }

  /**
   * Called when all of it is here. Throws `document-damaged`, or `document-not-printable` if this is not a document.
   */
  checkWhole(): void {
    this.#guard.end();
    this.#examined().end();
  }

  /** Why the received octets are not the whole document; `undefined` if they are. */
  shortfall(): Problem | undefined {
    if (this.missing === 0 && this.#length > 0) return undefined;
    const isEmpty = this.#length === 0 && this.missing === 0;
    return new Problem(
      'document-cut',
      isEmpty
        ? 'the service sent an empty document'
        : `${this.#length} of ${this.#announced ?? 'some'} octets came`,
    );
  }
}

const tooLarge = () =>
  new Problem('document-too-large', `the document is longer than ${longestDocument} octets`);
