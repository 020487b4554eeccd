/**
 * Watches a server's messages before `pg` reads them (PostgreSQL 15, sections 55.2 and 55.7). `pg` stores messages of
 * any size, and gives the password in any form that the server asks for. Here a message and an answer have a size
 * limit.
 */
import type { Duplex } from 'node:stream';

/** The server is not our engine, or is set up wrongly; the line is to be destroyed. */
export class WireRefusal extends Error {
  override readonly name = 'WireRefusal';
}

export interface WireTerms {
  /** TLS has proved the server's identity. */
  readonly isProved: boolean;
  readonly hasPassword: boolean;
}

/** Our largest answers have parts of a megabyte, as text with two characters for an octet, and some thousand rows. */
const most = { message: 16 * 2 ** 20, answer: 32 * 2 ** 20, messages: 100_000, columns: 100 };

/** A type, and a length that includes itself. */
const header = 5;
/** How many octets of the content are read: for the kind of sign-in, and for the number of columns. */
const lookedAt: Readonly<Record<string, number>> = { R: 4, T: 2 };

const authentication = { ok: 0, cleartext: 3, md5: 5, sasl: 10, saslFinal: 12 };

export class WireWatch {
  readonly #terms: WireTerms;
  readonly #head = Buffer.alloc(header + 4);
  #filled = 0;
  /** Octets of a message that are still to come, and are not read. */
  #passing = 0;
  #octets = 0;
  #messages = 0;
  /** The step of SCRAM that comes next. */
  #scramNext = authentication.sasl;
  #isSignedIn = false;

  constructor(terms: WireTerms) {
    this.#terms = terms;
  }

  /** The server has let us in after a proof that is accepted here. */
  get isSignedIn(): boolean {
    return this.#isSignedIn;
  }

  /** A new question: all that follows is its answer. */
  asked(): void {
    this.#octets = 0;
    this.#messages = 0;
  }

  /** Throws a `WireRefusal`; then the chunk must not be read further. */
  read(chunk: Uint8Array): void {
    this.#octets += chunk.length;
    if (this.#octets > most.answer) throw new WireRefusal('it sends more than any answer has');
    for (let at = 0; at < chunk.length; ) {
      const isPassing = this.#passing > 0;
      const taken = Math.min(isPassing ? this.#passing : this.#missing(), chunk.length - at);
      if (isPassing) this.#passing -= taken;
      else this.#take(chunk.subarray(at, at + taken));
      at += taken;
    }
  }

  #missing(): number {
    const wanted = this.#filled < header ? header : header + (lookedAt[this.#type()] ?? 0);
    return wanted - this.#filled;
  }

  #type(): string {
    return String.fromCharCode(this.#head.readUInt8(0));
  }

  #take(octets: Uint8Array): void {
    this.#head.set(octets, this.#filled);
    this.#filled += octets.length;
    if (this.#filled < header) return;
    const length = this.#head.readInt32BE(1);
    const needed = header - 1 + (lookedAt[this.#type()] ?? 0);
    if (length < needed || length > most.message) {
      throw new WireRefusal(`it sends a message of ${length} octets, which is none of PostgreSQL's`);
    }
    if (this.#missing() > 0) return;
    this.#passing = length - needed;
    this.#filled = 0;
    this.#message();
  }

  #message(): void {
    this.#messages += 1;
    if (this.#messages > most.messages) throw new WireRefusal('it sends more rows than any answer has');
    const type = this.#type();
    if (type === 'R') this.#authentication(this.#head.readInt32BE(header));
    if (type === 'T' && this.#head.readUInt16BE(header) > most.columns) {
      throw new WireRefusal('it sends more columns than any answer has');
    }
  }

  /** A password is proved by SCRAM-SHA-256, which also shows that the server knows it. */
  #authentication(kind: number): void {
    const { isProved, hasPassword } = this.#terms;
    if (kind === authentication.ok) {
      const hasProvedPassword = this.#scramNext > authentication.saslFinal;
      if (hasPassword && !isProved && !hasProvedPassword) {
        throw new WireRefusal(
          'it accepts this gateway without a proof that it knows the password. Write scram-sha-256 in its pg_hba.conf',
        );
      }
      this.#isSignedIn = true;
      return;
    }
    if (kind === this.#scramNext) this.#scramNext += 1;
    else if (kind !== authentication.cleartext || !isProved) {
      throw new WireRefusal(`${asked(kind)}, and does not get it; ${howToAsk}`);
    }
    if (!hasPassword) throw new WireRefusal('it asks for a password, but the address of the engine has none');
  }
}

const howToAsk =
  'write scram-sha-256 in its pg_hba.conf, and set the password once more with password_encryption = scram-sha-256';

const asked = (kind: number): string =>
  kind === authentication.cleartext
    ? 'it asks for the password in clear'
    : kind === authentication.md5
      ? 'it asks for the password by MD5'
      : `it asks for a proof that is not given at this place (${kind})`;

/**
 * Stands between the stream and its present readers. `pg` throws where no caller could catch it, so that is done here.
 * Chunks after the end are dropped.
 */
export function watchStream(stream: Duplex, watch: WireWatch, lose: (error: Error) => void): void {
  const readers = stream.listeners('data') as ((chunk: Buffer) => void)[];
  let isOver = false;
  stream.removeAllListeners('data').on('data', (chunk: Buffer) => {
    if (isOver) return;
    try {
      watch.read(chunk);
      for (const read of readers) read(chunk);
    } catch (error) {
      isOver = true;
      lose(error as Error);
    }
  });
}
