/**
 * Splits a PostScript program into tokens while it comes in (PLRM 3, section 3.2), without running it. Strings are
 * skipped: their content is text until an operator makes it executable, and that operator is a token too.
 */
export type Token =
  | { readonly kind: 'name' | 'literal' | 'immediate' | 'number' | 'mark' | 'comment'; readonly text: string }
  /** `text`: the first characters, with the bracket. */
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'line' | 'strange' };

const [lineFeed, formFeed, carriageReturn, space, escape] = [10, 12, 13, 32, 27];
const longestWord = 4096;
const keptOfString = 16;

const tableOf = (isMember: (octet: number) => boolean): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, octet) => (isMember(octet) ? 1 : 0));

/** NUL, Ctrl-D at the end of a job, tab, line ends, form feed, and the blank. */
const blank = tableOf((octet) => [0, 4, 9, 10, 12, 13, 32].includes(octet));
/** Octets that may stand in a name or a number. */
const regular = tableOf(
  (octet) => octet > space && octet < 127 && !'()<>[]{}/%'.includes(String.fromCharCode(octet)),
);
const digit = tableOf((octet) => /[\da-f]/i.test(String.fromCharCode(octet)));
const number = /^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|\d+#[\da-z]+)$/i;

type Place = 'code' | 'slash' | 'word' | 'string' | 'comment' | 'angle' | 'digits' | 'ascii85' | 'close';

export class PostscriptScanner {
  readonly #tell: (token: Token) => void;
  #place: Place = 'code';
  /** The slashes before the word. */
  #slashes = 0;
  #word = '';
  #depth = 0;
  #isEscaped = false;
  #isTilde = false;

  constructor(tell: (token: Token) => void) {
    this.#tell = tell;
  }

  /** Takes at most one token and stops before an ESC. Gives the offset at which to go on. */
  take(octets: Buffer, from: number): number {
    switch (this.#place) {
      case 'code':
        return this.#code(octets, from);
      case 'slash':
        this.#place = 'word';
        if (octets[from] !== 47 || this.#slashes > 1) return this.#regular(octets, from);
        this.#slashes = 2;
        return from + 1;
      case 'word':
        return this.#regular(octets, from);
      case 'string':
        return this.#string(octets, from);
      case 'comment':
        return this.#comment(octets, from);
      case 'angle':
        return this.#angle(octets, from);
      case 'digits':
        return this.#digits(octets, from);
      case 'ascii85':
        return this.#ascii85(octets, from);
      default:
        return this.#close(octets, from);
    }
  }

  /** The program ends here; an incomplete token is reported as it is. */
  end(): void {
    if (this.#place === 'word' || this.#place === 'slash') this.#endOfWord();
    this.#place = 'code';
  }

  #put(token: Token): void {
    this.#place = 'code';
    this.#tell(token);
  }

  #code(octets: Buffer, from: number): number {
    const octet = octets[from] ?? 0;
    const after = from + 1;
    if (octet === lineFeed || octet === carriageReturn) {
      this.#tell({ kind: 'line' });
      return after;
    }
    if (blank[octet] === 1) return after;
    this.#word = '';
    this.#slashes = 0;
    if (regular[octet] === 1) {
      this.#place = 'word';
      return this.#regular(octets, from);
    }
    switch (octet) {
      case 37:
        this.#place = 'comment';
        return after;
      case 40:
        this.#depth = 1;
        this.#word = '(';
        this.#place = 'string';
        return after;
      case 47:
        this.#slashes = 1;
        this.#place = 'slash';
        return after;
      case 60:
        this.#place = 'angle';
        return after;
      case 62:
        this.#place = 'close';
        return after;
      default:
        // Binary tokens (section 3.14) name operators by numbers.
        this.#tell(
          octet > space && octet < 127
            ? { kind: 'mark', text: String.fromCharCode(octet) }
            : { kind: 'strange' },
        );
        return after;
    }
  }

  #regular(octets: Buffer, from: number): number {
    let at = from;
    while (at < octets.length && regular[octets[at] ?? 0] === 1) at += 1;
    this.#word += octets.toString('latin1', from, at);
    if (this.#word.length > longestWord) {
      // The digits of a picture may be of any length.
      if (!/^[\da-f]*$/i.test(this.#word)) this.#tell({ kind: 'strange' });
      this.#word = this.#word.slice(-1);
    }
    if (at < octets.length) this.#endOfWord();
    return at;
  }

  #endOfWord(): void {
    const text = this.#word;
    const isNumber = this.#slashes === 0 && number.test(text);
    const kind = isNumber ? 'number' : (['name', 'literal', 'immediate'] as const)[this.#slashes];
    this.#put({ kind: kind ?? 'immediate', text });
  }

  #string(octets: Buffer, from: number): number {
    for (let at = from; at < octets.length; at += 1) {
      const octet = octets[at] ?? 0;
      if (octet === escape && at > from) return at;
      if (octet !== 41) this.#keep(octet);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (octet === 92) this.#isEscaped = true;
      else if (octet === 40) this.#depth += 1;
      else if (octet === 41) {
        this.#depth -= 1;
        if (this.#depth > 0) continue;
        this.#put({ kind: 'string', text: this.#word });
        return at + 1;
      }
    }
    return octets.length;
  }

  #comment(octets: Buffer, from: number): number {
    let at = from;
    while (
      at < octets.length &&
      !isEndOfComment(octets[at]) &&
      octets[at] !== escape &&
      at - from < longestWord
    )
      at += 1;
    if (this.#word.length < longestWord) this.#word += octets.toString('latin1', from, at);
    const octet = octets[at];
    if (isEndOfComment(octet)) this.#put({ kind: 'comment', text: this.#word });
    return at === from && octet === escape ? at + 1 : at;
  }

  #close(octets: Buffer, from: number): number {
    const isDouble = octets[from] === 62;
    this.#put({ kind: 'mark', text: isDouble ? '>>' : '>' });
    return isDouble ? from + 1 : from;
  }

  #angle(octets: Buffer, from: number): number {
    const octet = octets[from];
    if (octet === 60) {
      this.#put({ kind: 'mark', text: '<<' });
      return from + 1;
    }
    this.#isTilde = false;
    this.#word = '<';
    this.#place = octet === 126 ? 'ascii85' : 'digits';
    return octet === 126 ? from + 1 : from;
  }

  #keep(octet: number): void {
    if (this.#word.length < keptOfString) this.#word += String.fromCharCode(octet);
  }

  #digits(octets: Buffer, from: number): number {
    for (let at = from; at < octets.length; at += 1) {
      const octet = octets[at] ?? 0;
      if (octet === 62) {
        this.#put({ kind: 'string', text: this.#word });
        return at + 1;
      }
      this.#keep(octet);
      if (digit[octet] === 0 && blank[octet] === 0) {
        if (octet === escape && at > from) return at;
        this.#tell({ kind: 'strange' });
      }
    }
    return octets.length;
  }

  #ascii85(octets: Buffer, from: number): number {
    for (let at = from; at < octets.length; at += 1) {
      const octet = octets[at];
      if (octet === escape && at > from) return at;
      if (this.#isTilde && octet === 62) {
        this.#put({ kind: 'string', text: this.#word });
        return at + 1;
      }
      this.#isTilde = octet === 126;
    }
    return octets.length;
  }
}

/** Section 3.2.1: a form feed ends a comment too. */
const isEndOfComment = (octet: number | undefined): boolean =>
  octet === lineFeed || octet === carriageReturn || octet === formFeed;
