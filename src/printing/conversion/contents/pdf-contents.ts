/**
 * Examines a PDF with qpdf in the sandbox before its pages are drawn. Its pages must be real, not a sheet that asks for
 * another program, and its missing fonts are found. The agent reads only names that qpdf reports, never the document.
 */
import { Problem } from '../../../domain/problem/problem.ts';
import type { Recipe } from '../conversion-commands.ts';
import { PdfObjects, objectsWith } from './pdf-objects.ts';

/** The objects of the document without its streams. */
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
