/**
 * Splits a list of any length into entries as its octets come in. Each entry is parsed alone, so only one entry is held
 * at a time. The text around the entries comes back as the answer's body, with an empty list in it.
 */
import type { Answer } from './json.ts';
import { entryOf, nonsense } from './json.ts';
import type { OpenAnswer } from './exchange.ts';

/** Bytes (T23). A list of the largest size has some 240,000 output ports. */
export const listLimits = { entry: 64 * 1024, around: 64 * 1024, whole: 256 * 1024 * 1024 } as const;
const deepest = 20;

/** From the spec, General rules 6 and 7; a bare list has no name. */
const namesOfLists = ['items', 'documents'];

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Called for each entry; if it returns a promise, the next octets wait for it. */
export type OnEntry = (entry: unknown) => void | Promise<void>;

/** Reads the body to its end. Rejects with a `Problem` if it is no list, too large, or cut. */
export async function collectList(answer: OpenAnswer, onEntry: OnEntry): Promise<Answer> {
  const pending: Promise<void>[] = [];
  const splitter = new ListSplitter(answer, (entry) => {
    const done = onEntry(entry);
    if (done) pending.push(done);
  });
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    if (answer.received() > listLimits.whole) {
      throw nonsense(answer, `the list is larger than ${listLimits.whole} bytes`);
    }
    splitter.push(chunk);
    await Promise.all(pending.splice(0));
  }
  const { call, status, headers } = answer;
  return { call, status, headers, body: splitter.around() };
}

/** Looks at strings and brackets only; JSON.parse checks all parts of the text. */
class ListSplitter {
  readonly #answer: OpenAnswer;
  readonly #onEntry: (entry: unknown) => void;
  readonly #around: Octets;
  readonly #entry: Octets;
  #depth = 0;
  /** The depth of the list's own entries; 0 before the list, -1 after it. */
  #listDepth = 0;
  #inString = false;
  #isEscaped = false;
  /** The last string of the outermost object outside of the list: the name of the value that follows. */
  #name = '';
  #entries = 0;

  constructor(answer: OpenAnswer, onEntry: (entry: unknown) => void) {
    this.#answer = answer;
    this.#onEntry = onEntry;
    this.#around = new Octets(listLimits.around, () => nonsense(answer, 'the answer is no list'));
    this.#entry = new Octets(listLimits.entry, () =>
      nonsense(answer, `an entry of the list is larger than ${listLimits.entry} bytes`),
    );
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const octet = chunk[at] ?? 0;
      if (this.#inString) this.#followString(octet);
      else if (octet === quote) this.#beginString();
      else if (octet === openList || octet === openObject) {
        const isList = octet === openList && this.#isListNext();
        this.#deeper();
        if (isList) {
          this.#around.add(chunk.subarray(from, at + 1));
          from = at + 1;
          this.#listDepth = this.#depth;
        }
      } else if (octet === comma && this.#depth === this.#listDepth) {
        this.#endEntry(chunk.subarray(from, at));
        from = at + 1;
      } else if (octet === closeList || octet === closeObject) {
        if (octet === closeList && this.#depth === this.#listDepth) {
          this.#endList(chunk.subarray(from, at));
          from = at;
        }
        this.#depth -= 1;
      }
    }
    (this.#isInList() ? this.#entry : this.#around).add(chunk.subarray(from));
  }

  around(): Buffer {
    if (this.#isInList()) throw nonsense(this.#answer, 'the list is cut off');
    return this.#around.take();
  }

  #isInList(): boolean {
    return this.#listDepth > 0;
  }

  #isListNext(): boolean {
    return (
      this.#listDepth === 0 && (this.#depth === 0 || (this.#depth === 1 && namesOfLists.includes(this.#name)))
    );
  }

  #deeper(): void {
    this.#depth += 1;
    if (this.#depth > deepest)
      throw nonsense(this.#answer, `the list nests more than ${deepest} levels deep`);
  }

  #beginString(): void {
    this.#inString = true;
    this.#name = '';
  }

  #followString(octet: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (octet === backslash) this.#isEscaped = true;
    else if (octet === quote) this.#inString = false;
    else if (this.#depth === 1 && this.#name.length < 16) this.#name += String.fromCharCode(octet);
  }

  #endEntry(end: Buffer): void {
    this.#entry.add(end);
    this.#entries += 1;
    this.#onEntry(entryOf(this.#answer, this.#entry.take()));
  }

  #endList(end: Buffer): void {
    this.#entry.add(end);
    if (this.#entries > 0 || !this.#entry.isBlank()) this.#endEntry(Buffer.alloc(0));
    this.#entry.take();
    this.#listDepth = -1;
  }
}

class Octets {
  readonly #most: number;
  readonly #tooMany: () => Error;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(most: number, tooMany: () => Error) {
    this.#most = most;
    this.#tooMany = tooMany;
  }

  add(part: Buffer): void {
    this.#length += part.length;
    if (this.#length > this.#most) throw this.#tooMany();
    if (part.length > 0) this.#parts.push(part);
  }

  isBlank(): boolean {
    return Buffer.concat(this.#parts).toString('latin1').trim() === '';
  }

  take(): Buffer {
    const [only] = this.#parts;
    const whole = only && this.#parts.length === 1 ? only : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#length = 0;
    return whole;
  }
}
