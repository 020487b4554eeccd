/** The objects of a PDF without its streams, and whether they have real pages. */
import { Problem } from '../../../domain/problem/problem.ts';
import type { Recipe } from '../conversion-commands.ts';

/** Any JSON value: a number, a text, an array or a dictionary. */
export type PdfValue = unknown;

interface PdfObject {
  /** `12 0 R`, or `trailer`. */
  readonly name: string;
  /** For a stream, its dictionary. */
  readonly value: PdfValue;
}

/** The longest text of one object, and of one line of it, in octets: no font and no catalogue is so long. */
const longest = 4 * 1024 ** 2;

const begins = /^( *)"(?:obj:)?(\d+ \d+ R|trailer)": \{$/;

/** The objects whose text contains one of the words. */
async function* objectsWith(words: RegExp, output: AsyncIterable<Buffer>): AsyncGenerator<PdfObject, void> {
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

const isDictionary = (value: PdfValue): value is PdfDictionary =>
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

/**
 * Examines a PDF with qpdf in the sandbox before its pages are drawn. Its pages must be real, not a sheet that asks
 * for another program, and its missing fonts are found. The agent reads only names that qpdf reports, never the
 * document. The objects of the document without its streams.
 */
export const objectListing: Recipe = {
  program: 'qpdf',
  arguments: ({ document }) => ['--warning-exit-0', '--json=2', '--json-key=qpdf', document],
  words: ['objects'],
};

/** Matches fonts with their descriptions, the catalogue with its form, and short arrays that these may refer to. */
const concerned =
  /"\/(BaseFont|FontName|Differences|Ordering|XFA|Collection|EmbeddedFiles|View|Root|Catalog|Font)"|"\/Catalog"|^ *"value": (\[\]|\[\s*"[^"]*"\s*\]|\[\s*\d+,)/;

export async function concernedObjects(output: AsyncIterable<Buffer>): Promise<PdfObjects> {
  const objects = new PdfObjects();
  for await (const object of objectsWith(concerned, output)) objects.add(object);
  return objects;
}

/**
 * Throws `document-placeholder`. A form that another program turns into pages (XFA, ISO 32000-1 section 12.7.8:
 * NeedsRendering, or a form without PDF fields) has only one page, which asks for that program. The same is true of a
 * portfolio (section 12.3.5). A form of both kinds has real pages, and so has a document with attachments.
 */
export function requirePages(objects: PdfObjects, pages: number): void {
  const catalog = objects.dictionary(objects.trailer['/Root']);
  const form = objects.dictionary(catalog['/AcroForm']);
  const fields = objects.get(form['/Fields'] ?? []);
  if (
    form['/XFA'] !== undefined &&
    (catalog['/NeedsRendering'] === true || (pages === 1 && isEmpty(fields)))
  ) {
    throw placeholder('its form is made into pages by other programs only (XFA)');
  }
  const collection = objects.get(catalog['/Collection']);
  if (collection !== undefined && objects.dictionary(collection)['/View'] !== '/H' && pages === 1) {
    throw placeholder('its documents are packed into it, and its page is their cover (portfolio)');
  }
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const placeholder = (why: string) => new Problem('document-placeholder', why);
