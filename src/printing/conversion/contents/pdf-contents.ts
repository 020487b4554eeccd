/**
 * What is in a PDF is looked at before its pages are drawn, by qpdf in the room: whether they are pages, and not a sheet
 * that asks for another program, and which fonts are to be found here. The agent reads names of what qpdf tells, and never
 * the document.
 */
import { Problem } from '../../../domain/problem/problem.ts';
import type { Recipe } from '../conversion-commands.ts';
import { PdfObjects, objectsWith } from './pdf-objects.ts';

/** Its objects without its streams. */
export const objectsTold: Recipe = {
  program: 'qpdf',
  arguments: ({ document }) => ['--warning-exit-0', '--json=2', '--json-key=qpdf', document],
  words: ['objects'],
};

/** Fonts with what describes them, the catalogue with the form in it, and short arrays to which these may refer. */
const concerned =
  /"\/(BaseFont|FontName|Differences|Ordering|XFA|Collection|EmbeddedFiles|View|Root|Catalog|Font)"|"\/Catalog"|^ *"value": (\[\]|\[\s*"[^"]*"\s*\]|\[\s*\d+,)/;

export async function concernedObjects(output: AsyncIterable<Buffer>): Promise<PdfObjects> {
  const objects = new PdfObjects();
  for await (const object of objectsWith(concerned, output)) objects.add(object);
  return objects;
}

/**
 * Throws `document-placeholder`. A form that a program makes its pages of (XFA, ISO 32000-1 section 12.7.8: NeedsRendering,
 * or a form without fields of a PDF), and a portfolio (section 12.3.5), have one page, which asks for that program. A form
 * of both kinds has its pages, and so has a document with others attached.
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
