/**
 * The objects of a PDF as qpdf tells them (JSON output, version 2), one after the other: a document of thousands of pages
 * is never in memory as a whole, and no stream of it comes along.
 */

/** A number, a text, an array, or a dictionary: whatever JSON can be. */
export type PdfValue = unknown;

export interface PdfObject {
  /** `12 0 R`, or `trailer`. */
  readonly name: string;
  /** Of a stream its dictionary. */
  readonly value: PdfValue;
}

/** Octets of the text of one object, and of one line of it: no font, and no catalogue, is as long. */
const longest = 4 * 1024 ** 2;

const begins = /^( *)"(?:obj:)?(\d+ \d+ R|trailer)": \{$/;

/** Those in whose text one of the words stands. */
export async function* objectsWith(
  words: RegExp,
  output: AsyncIterable<Buffer>,
): AsyncGenerator<PdfObject, void> {
  let name: string | undefined;
  let end = '';
  let text = '';
  for await (const line of linesOf(output)) {
    if (name === undefined) {
      const [, indent = '', found] = begins.exec(line) ?? [];
      name = found;
      end = `${indent}}`;
      text = '';
    } else if (line === end || line === `${end},`) {
      if (text.length <= longest && words.test(text)) yield { name, value: valueIn(text) };
      name = undefined;
    } else if (text.length <= longest) text += `${line}\n`;
  }
}

function valueIn(text: string): PdfValue {
  try {
    const { value, stream } = JSON.parse(`{${text}}`) as {
      readonly value?: PdfValue;
      readonly stream?: { readonly dict?: PdfValue };
    };
    return value ?? stream?.dict;
  } catch {
    return undefined;
  }
}

export async function* linesOf(output: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  let rest = '';
  for await (const chunk of output) {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = (lines.pop() ?? '').slice(0, longest);
    yield* lines;
  }
  yield rest;
}

export type PdfDictionary = Readonly<Record<string, PdfValue>>;

export const isDictionary = (value: PdfValue): value is PdfDictionary =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Objects by their names, as they refer to each other. */
export class PdfObjects {
  readonly #objects = new Map<string, PdfValue>();

  add({ name, value }: PdfObject): void {
    this.#objects.set(name, value);
  }

  get trailer(): PdfDictionary {
    const found = this.#objects.get('trailer');
    return isDictionary(found) ? found : {};
  }

  /** What a value is or refers to. */
  get(value: PdfValue): PdfValue {
    return typeof value === 'string' && /^\d+ \d+ R$/.test(value) ? this.#objects.get(value) : value;
  }

  dictionary(value: PdfValue): PdfDictionary {
    const found = this.get(value);
    return isDictionary(found) ? found : {};
  }

  list(value: PdfValue): readonly PdfValue[] {
    const found = this.get(value);
    return Array.isArray(found) ? found : [];
  }

  /** All dictionaries, those that stand inside others too. */
  *dictionaries(): Generator<PdfDictionary, void> {
    const left: PdfValue[] = [...this.#objects.values()];
    for (let one = left.pop(); left.length > 0 || one !== undefined; one = left.pop()) {
      if (isDictionary(one)) yield one;
      if (typeof one === 'object' && one !== null) left.push(...within(one));
    }
  }
}

/** Widths are many, and hold nothing. */
const within = (one: object): readonly PdfValue[] =>
  Object.values(one).filter((inner) => typeof inner === 'object' && inner !== null);
