/**
 * Reads the objects of a PDF from qpdf's output (JSON, version 2) one after the other. So a document of thousands of
 * pages is never in memory as a whole, and its streams are never read.
 */

/** Any JSON value: a number, a text, an array or a dictionary. */
export type PdfValue = unknown;

export interface PdfObject {
  /** `12 0 R`, or `trailer`. */
  readonly name: string;
  /** For a stream, its dictionary. */
  readonly value: PdfValue;
}

/** The longest text of one object, and of one line of it, in octets: no font and no catalogue is so long. */
const longest = 4 * 1024 ** 2;

const begins = /^( *)"(?:obj:)?(\d+ \d+ R|trailer)": \{$/;

/** The objects whose text contains one of the words. */
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

/** Objects by name, so that references can be followed. */
export class PdfObjects {
  readonly #objects = new Map<string, PdfValue>();

  add({ name, value }: PdfObject): void {
    this.#objects.set(name, value);
  }

  get trailer(): PdfDictionary {
    const found = this.#objects.get('trailer');
    return isDictionary(found) ? found : {};
  }

  /** The value itself, or the object that it refers to. */
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

  /** All dictionaries, including those inside others. */
  *dictionaries(): Generator<PdfDictionary, void> {
    const left: PdfValue[] = [...this.#objects.values()];
    for (let one = left.pop(); left.length > 0 || one !== undefined; one = left.pop()) {
      if (isDictionary(one)) yield one;
      if (typeof one === 'object' && one !== null) left.push(...within(one));
    }
  }
}

/** Numbers are skipped: arrays of widths have many, and they contain no dictionary. */
const within = (one: object): readonly PdfValue[] =>
  Object.values(one).filter((inner) => typeof inner === 'object' && inner !== null);
