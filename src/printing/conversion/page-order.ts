/**
 * The order of a document's pages if the printer does not order them itself: for copies made in software, and for a
 * finisher that turns stacks over. Pages that shared a sheet go on sharing it.
 */
import type { Conversion } from '../../domain/ports/printing.ts';
import { mediaPoints } from '../media.ts';

/** Page numbers of the document, and empty pages between them. */
export type PageOrder = readonly (number | 'blank')[];

export function pageOrder(pages: number, { order, copies, sides, collated, picked }: Conversion): PageOrder {
  const wanted = (picked ?? [{ from: 1, to: pages }]).flatMap(({ from, to }) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index),
  );
  const isTwoSided = sides !== undefined && sides !== 'one-sided';
  const sheets = isTwoSided ? twoSidedSheets(wanted) : wanted.map((page): PageOrder => [page]);
  if (order === 'reversed') sheets.reverse();
  const times = Array.from({ length: copies });
  const all = collated ? times.flatMap(() => sheets) : sheets.flatMap((sheet) => times.map(() => sheet));
  const ordered = all.flat();
  // No page follows, so the last back side may stay free.
  if (ordered.at(-1) === 'blank') ordered.pop();
  return ordered;
}

const twoSidedSheets = (pages: readonly number[]): PageOrder[] =>
  pages.flatMap((front, index) => (index % 2 === 0 ? [[front, pages[index + 1] ?? 'blank']] : []));

/** The pages must be put in order, or freed of everything else, before they are rendered. */
export const needsOrder = ({ order, copies, isWrittenAnew, picked }: Conversion): boolean =>
  order === 'reversed' || copies > 1 || isWrittenAnew === true || picked !== undefined;

/** An empty page (ISO 32000-1) without a cross-reference table; qpdf makes the table. */
export function blankPage(conversion: Conversion): string {
  const { width, height } = paperPoints(conversion);
  return [
    '%PDF-1.4',
    '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
    '2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj',
    `3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Resources<<>>>>endobj`,
    'trailer<</Root 1 0 R/Size 4>>',
    '%%EOF',
  ].join('\n');
}

/** The paper of the record, otherwise A4. */
export const paperPoints = ({ media }: Conversion) =>
  (media === undefined ? undefined : mediaPoints(media)) ?? { width: 595, height: 842 };
