/**
 * Whether the octets of a PostScript document show that it changes nothing but pages (INVARIANTS.md T16). Then each
 * name in it is an operator that describes pages, or is defined by the document itself. If that cannot be shown, the
 * document is run in the converter's sandbox, and only its pages go to the printer. Data stands between the tokens:
 * pictures in ASCII85 and in hexadecimal digits, and encrypted fonts (eexec). It is read as data. ASCII85 could hide a
 * program, so no lasting operator is allowed in it; a word that only one maker knows is not found.
 */
import { isFilling, universalExit } from '../pjl-guard.ts';
import { FontDecryption, PictureData } from './encoded-data.ts';
import type { KnownPrologue } from './known-prologues.ts';
import { SectionDigest } from './known-prologues.ts';
import { lastingOperators, leftOpen, pageOperators } from './operators.ts';
import type { Token } from './scanner.ts';
import { PostscriptScanner } from './scanner.ts';

interface Doubts {
  isStrange: boolean;
  /** Names that are used and must be defined somewhere. */
  readonly names: Set<string>;
}

/** A section may still turn out to be a known prologue; then its doubts are dropped. */
interface Section {
  readonly digest: SectionDigest;
  readonly outside: Doubts;
}

interface Font {
  readonly decryption: FontDecryption;
  readonly program: PostscriptJudgement;
}

type Word = Exclude<Token, { readonly kind: 'line' | 'comment' | 'strange' }>;

/** No printable document has more. */
const mostNames = 20_000;
const longestFontString = 65_535;

const exit = Buffer.from(universalExit, 'latin1');
const lineFeed = 10;

/**
 * The procedure that reads the strings of a Type 1 font: as many octets as the number before it says (Type 1 Font
 * Format, chapter 2).
 */
const readingBody = 'string currentfile exch readstring pop';
/** These may not be redefined; otherwise octets that are skipped as data would be run. */
const readingOperators: ReadonlySet<string> = new Set([...readingBody.split(' '), 'eexec', 'closefile']);

/** Adobe's own fonts use these (section 8.3), inside the encrypted part only. */
const fontOperators: ReadonlySet<string> = new Set(['internaldict', 'startlock', 'strtlck', 'flxproc']);

export class PostscriptJudgement {
  readonly #isFont: boolean;
  readonly #scanner = new PostscriptScanner((token) => this.#take(token));
  readonly #defined = new Set<string>();
  /** Names that were defined as something else than an array or a procedure: `cvx` could make a program of a string. */
  readonly #notBodies = new Set<string>();
  readonly #fontReaders = new Set<string>();
  readonly #makers = new Set<string>();
  #sections: readonly Section[] = [];
  #doubts: Doubts = { isStrange: false, names: new Set() };
  /** The line so far, while the printer reads PJL. */
  #pjl: string | undefined = '';
  #exitOctets = 0;
  /** The last two tokens. */
  #before: readonly Word[] = [];
  #body: { readonly of: string | undefined; readonly words: string[] } | undefined;
  #depth = 0;
  #data: PictureData | undefined;
  #isReplaying = false;
  #font: Font | undefined;
  #octetsToSkip = 0;
  #isOver = false;

  constructor({ isFont = false }: { readonly isFont?: boolean } = {}) {
    this.#isFont = isFont;
    if (isFont) this.#pjl = undefined;
  }

  see(octets: Buffer): void {
    for (let at = 0; at < octets.length; ) at = this.#seeSome(octets, at);
  }

  /** The encrypted part of a font has closed itself. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** For everything that was seen; `around` are the names defined around a font. */
  isKnown(around: ReadonlySet<string> = new Set()): boolean {
    this.#endData();
    this.#scanner.end();
    if (this.#font?.program.isKnown(this.#defined) === false) return false;
    return [...this.#sections.map(({ outside }) => outside), this.#doubts].every(
      ({ isStrange, names }) =>
        !isStrange && [...names].every((name) => this.#defined.has(name) || around.has(name)),
    );
  }

  /** Gives the offset at which to go on. */
  #seeSome(octets: Buffer, at: number): number {
    const octet = octets[at] ?? 0;
    if (this.#octetsToSkip > 0) {
      const count = Math.min(this.#octetsToSkip, octets.length - at);
      this.#octetsToSkip -= count;
      return at + count;
    }
    if (this.#font) this.#decrypt(this.#font, octet);
    else if (this.#pjl !== undefined) this.#seePjl(this.#pjl, octet);
    else if (this.#data) return this.#seeData(this.#data, octets, at);
    else if (octet === exit[this.#exitOctets]) {
      this.#exitOctets += 1;
      if (this.#exitOctets === exit.length) this.#leave();
    } else if (this.#exitOctets > 0) {
      const kept = exit.subarray(0, this.#exitOctets);
      this.#exitOctets = 0;
      for (let from = 0; from < kept.length; ) from = this.#step(kept, from);
      return at;
    } else return this.#step(octets, at);
    return at + 1;
  }

  #step(octets: Buffer, at: number): number {
    const begun = this.#sections;
    const next = this.#scanner.take(octets, at);
    for (const { digest } of begun) {
      const known = digest.see(octets.subarray(at, next));
      if (known) this.#believe(known);
    }
    return next;
  }

  /** The section so far is a known prologue. */
  #believe({ makers }: KnownPrologue): void {
    for (const name of makers) this.#makers.add(name);
    this.#doubts = { isStrange: false, names: new Set() };
  }

  /** After a UEL the printer leaves the program in any state. */
  #leave(): void {
    this.#exitOctets = 0;
    this.#scanner.end();
    this.#pjl = '';
  }

  /** `pjl-guard.ts` judges the lines. */
  #seePjl(line: string, octet: number): void {
    const more = line + String.fromCharCode(octet);
    if (line === '' && isFilling(octet)) return;
    if (octet === lineFeed || more === universalExit) this.#pjl = '';
    else if (more.slice(0, 4) === '@PJL'.slice(0, more.length) || universalExit.startsWith(more)) {
      this.#pjl = more;
    } else {
      this.#pjl = undefined;
      this.see(Buffer.from(more, 'latin1'));
    }
  }

  #seeData(data: PictureData, octets: Buffer, from: number): number {
    const { next, isData } = data.see(octets, from);
    if (isData !== undefined) this.#endData(isData);
    return next;
  }

  #endData(isData = false): void {
    const data = this.#data;
    this.#data = undefined;
    if (!data) return;
    if (isData) this.#doubts.isStrange ||= data.holdsLasting;
    else if (data.isLong) this.#doubts.isStrange = true;
    else this.#replay(data.octets());
  }

  /** An octet that no data has follows them, so none of them can begin data. */
  #replay(octets: Buffer): void {
    this.#isReplaying = true;
    this.see(octets);
    this.#isReplaying = false;
  }

  #decrypt({ decryption, program }: Font, octet: number): void {
    decryption.see(octet);
    if (!program.isOver) return;
    if (!program.isKnown(this.#defined)) this.#doubts.isStrange = true;
    this.#font = undefined;
  }

  #take(token: Token): void {
    switch (token.kind) {
      case 'line':
        return this.#endLine();
      case 'comment':
        return this.#comment(token.text);
      case 'strange':
        this.#doubts.isStrange = true;
        return;
      default:
        this.#judge(token);
        this.#before = [...this.#before.slice(-1), token];
    }
  }

  /** The data of a picture begins on its own line, after the name that reads it. */
  #endLine(): void {
    if (this.#depth > 0 || this.#isFont || this.#isReplaying) return;
    if (this.#before.at(-1)?.kind === 'name') this.#data = new PictureData();
  }

  #comment(text: string): void {
    const [, begin] = sectionMark.exec(text) ?? [];
    if (begin === 'Begin') {
      this.#sections = [...this.#sections, { digest: new SectionDigest(), outside: this.#doubts }];
      this.#doubts = { isStrange: false, names: new Set() };
    } else if (begin === 'End') this.#endSection();
    else if (/^%Begin(?:Binary|Data:.*Binary)/.test(text)) this.#doubts.isStrange = true;
  }

  #endSection(): void {
    const section = this.#sections.at(-1);
    if (!section) return;
    this.#sections = this.#sections.slice(0, -1);
    const inside = this.#doubts;
    this.#doubts = section.outside;
    this.#doubts.isStrange ||= inside.isStrange;
    for (const name of inside.names) this.#toBeDefined(name);
  }

  #judge(token: Word): void {
    const [beforeLast, last] = this.#before.length > 1 ? this.#before : [undefined, this.#before[0]];
    if (last?.kind === 'literal') this.#afterLiteral(last.text, token);
    if (token.kind === 'literal') this.#doubts.isStrange ||= this.#isLasting(token.text);
    else if (token.kind === 'immediate') this.#use(token.text);
    else if (token.kind === 'name') this.#name(token.text, last, beforeLast);
    else if (token.kind === 'mark') this.#nest(token.text, last);
    if (this.#depth > 0) this.#body?.words.push(token.text);
  }

  #name(name: string, last: Word | undefined, beforeLast: Word | undefined): void {
    if (name === 'cvx') this.#makeExecutable(last);
    else if (name !== 'cvn' || !isControl(last)) this.#use(name);
    if (name === 'exec' && beforeLast?.kind === 'literal' && isName(last, 'get')) this.#use(beforeLast.text);
    if (this.#depth === 0) this.#read(name, last);
  }

  /** A name that is looked up or removed is not defined thereby. */
  #afterLiteral(name: string, next: Word): void {
    if (isName(next, 'load')) return this.#use(name);
    if (['cvx', 'get', 'where', 'known', 'pop'].some((word) => isName(next, word))) return;
    if (readingOperators.has(name)) this.#doubts.isStrange = true;
    this.#defined.add(name);
    if (next.kind !== 'mark' || !['{', '['].includes(next.text)) this.#notBodies.add(name);
    this.#fontReaders.delete(name);
  }

  #use(name: string): void {
    if (this.#isLasting(name)) this.#doubts.isStrange = true;
    else if (!pageOperators.has(name) && !leftOpen.has(name) && !isHexadecimal(name)) this.#toBeDefined(name);
  }

  #toBeDefined(name: string): void {
    this.#doubts.names.add(name);
    if (this.#doubts.names.size > mostNames) this.#doubts.isStrange = true;
  }

  #isLasting(name: string): boolean {
    if (this.#isFont && fontOperators.has(name)) return false;
    return lastingOperators.has(name) || this.#makers.has(name);
  }

  /** From a name, an array or a procedure, `cvx` makes nothing that was not seen. */
  #makeExecutable(what: Word | undefined): void {
    if (what?.kind === 'literal') this.#use(what.text);
    else if (what?.kind === 'name') this.#doubts.isStrange ||= !this.#isBody(what.text);
    else if (what?.kind !== 'mark' || !['}', ']'].includes(what.text)) this.#doubts.isStrange = true;
  }

  #isBody(name: string): boolean {
    return this.#defined.has(name) && !this.#notBodies.has(name);
  }

  #read(name: string, last: Word | undefined): void {
    if (name === 'eexec') this.#beginFont();
    else if (name === 'closefile' && this.#isFont) this.#isOver = true;
    else if (this.#fontReaders.has(name) && last?.kind === 'number') {
      // The blank after the name does not belong to the string.
      this.#octetsToSkip = 1 + Math.min(Number(last.text), longestFontString);
    }
  }

  #beginFont(): void {
    const program = new PostscriptJudgement({ isFont: true });
    this.#font = { program, decryption: new FontDecryption((plain) => program.see(plain)) };
  }

  #nest(mark: string, last: Word | undefined): void {
    if (mark === '{') {
      this.#depth += 1;
      if (this.#depth === 1) this.#body = { of: last?.kind === 'literal' ? last.text : undefined, words: [] };
    } else if (mark === '}' && this.#depth > 0) {
      this.#depth -= 1;
      if (this.#depth === 0) this.#endBody();
    }
  }

  #endBody(): void {
    const { of: name, words = [] } = this.#body ?? {};
    if (name !== undefined && words.slice(1).join(' ') === readingBody) this.#fontReaders.add(name);
    this.#body = undefined;
  }
}

const sectionMark = /^%(Begin|End)(?:Prolog|Resource|ProcSet)\b/;
const isName = (token: Word | undefined, text: string): boolean =>
  token?.kind === 'name' && token.text === text;
/** A string that begins with a control character; drivers make a name without effect of it: `(\\004) cvn {} put`. */
const isControl = (token: Word | undefined): boolean =>
  token?.kind === 'string' && /^(?:\((?:\\0[0-3][0-7])+|<0[0-9a-f]|\([\0-\x1f])$/i.test(token.text);
const isHexadecimal = (name: string): boolean => /^[\da-f]+$/i.test(name);
