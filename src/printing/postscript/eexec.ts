/**
 * Decrypts the encrypted part of a Type 1 font (Adobe Type 1 Font Format, chapter 7), in hexadecimal digits or in
 * octets.
 */
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
