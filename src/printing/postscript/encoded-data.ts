/**
 * The encoded parts of a PostScript document: the encrypted part of a Type 1 font (Adobe Type 1 Font Format, chapter
 * 7), in hexadecimal digits or in octets, and pictures in ASCII85.
 */
import { isFilling } from '../pjl-guard.ts';
import { lastingInData } from './operators.ts';

const [factor, summand] = [52_845, 22_719];
const firstKey = 55_665;
/** Random octets before the program; the first octets of the text show whether it is in digits (section 7.2). */
const headOctets = 4;

export class FontDecryption {
  readonly #give: (plain: Buffer) => void;
  #head: number[] = [];
  #isDigits: boolean | undefined;
  #half: number | undefined;
  #key = firstKey;
  #plain = 0;

  /** `give` gets one octet at a time. */
  constructor(give: (plain: Buffer) => void) {
    this.#give = give;
  }

  see(octet: number): void {
    if (this.#isDigits !== undefined) return this.#take(octet);
    if (this.#head.length === 0 && isBlank(octet)) return;
    this.#head.push(octet);
    if (this.#head.length < headOctets) return;
    this.#isDigits = this.#head.every((one) => digitOf(one) !== undefined);
    for (const one of this.#head) this.#take(one);
    this.#head = [];
  }

  #take(octet: number): void {
    if (this.#isDigits !== true) return this.#decrypt(octet);
    const digit = digitOf(octet);
    if (digit === undefined) return;
    if (this.#half === undefined) {
      this.#half = digit;
      return;
    }
    const both = this.#half * 16 + digit;
    this.#half = undefined;
    this.#decrypt(both);
  }

  #decrypt(cipher: number): void {
    const plain = cipher ^ (this.#key >> 8);
    this.#key = ((cipher + this.#key) * factor + summand) & 0xffff;
    this.#plain += 1;
    if (this.#plain > headOctets) this.#give(Buffer.of(plain & 0xff));
  }
}

const isBlank = (octet: number): boolean => [9, 10, 13, 32].includes(octet);

function digitOf(octet: number): number | undefined {
  const value = Number.parseInt(String.fromCharCode(octet), 16);
  return Number.isNaN(value) ? undefined : value;
}

const [lineFeed, carriageReturn] = [10, 13];

/** A program has an octet outside ASCII85 much sooner. */
const longestPending = 64 * 1024;
const longestLine = 4096;
const longestLasting = 64;

/** From `!` to `u`, and z, with blanks between (PLRM 3, section 3.13.3). */
const letters = Uint8Array.from({ length: 256 }, (_, octet) =>
  (octet > 32 && octet <= 117) || octet === 122 || isFilling(octet) ? 1 : 0,
);
const tilde = 126;

/** Words with blanks between them, or the digits of a font: no line of ASCII85 looks like that. */
const lineOfProgram = /\S[ \t]+\S|^[ \t]*<?[\da-f]{40,}>?[ \t]*$/im;

/**
 * Distinguishes a picture's data in ASCII85 (PLRM 3, section 3.13.3) from a program in its place: lines that may be
 * the data of a picture. ASCII85 ends in `~>`; before that they could still be a program.
 */
export class PictureData {
  #pending: Buffer[] = [];
  #length = 0;
  #line = '';
  #tail = '';
  #hasTilde = false;
  #holdsLasting = false;

  /** It contains a lasting operator. */
  get holdsLasting(): boolean {
    return this.#holdsLasting;
  }

  /** It was too long to be kept. */
  get isLong(): boolean {
    return this.#length > longestPending;
  }

  /** The octets, if they were not too long. */
  octets(): Buffer {
    return Buffer.concat(this.#pending);
  }

  /** `isData` is set when it is known; the octets up to `next` are taken. */
  see(octets: Buffer, from: number): { readonly next: number; readonly isData?: boolean } {
    let at = from;
    if (this.#hasTilde) {
      while (at < octets.length && isFilling(octets[at])) at += 1;
      this.#keep(octets.subarray(from, at));
      if (at === octets.length) return { next: at };
      return octets[at] === 62 ? { next: at + 1, isData: true } : { next: at, isData: false };
    }
    while (at < octets.length && letters[octets[at] ?? 0] === 1 && !isEnd(octets[at])) at += 1;
    this.#keep(octets.subarray(from, at));
    if (at === octets.length) return { next: at };
    if (octets[at] === tilde) {
      this.#hasTilde = true;
      this.#keep(octets.subarray(at, at + 1));
      return { next: at + 1 };
    }
    // The line end of a program line belongs to the program: data may begin after it.
    if (!isEnd(octets[at]) || (!this.isLong && lineOfProgram.test(this.#line))) {
      return { next: at, isData: false };
    }
    this.#keep(octets.subarray(at, at + 1));
    this.#line = '';
    return { next: at + 1 };
  }

  #keep(octets: Buffer): void {
    const text = octets.toString('latin1');
    this.#line = (this.#line + text).slice(-longestLine);
    this.#holdsLasting ||= lastingInData.test(this.#tail + text);
    this.#tail = (this.#tail + text).slice(-longestLasting);
    this.#length += octets.length;
    if (this.isLong) this.#pending = [];
    else this.#pending.push(Buffer.from(octets));
  }
}

const isEnd = (octet: number | undefined): boolean => octet === lineFeed || octet === carriageReturn;
