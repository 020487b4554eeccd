/**
 * Which pages of a document did not come out, where that is certain: its job was given up, and its printer counted what
 * it had laid down before. Anybody's guess is not offered to a person, who would be given pages twice, or never (I1, I12).
 */
import { isTwoSided } from './document-changes.ts';
import type { Document, Sides } from './document.ts';
import type { PageRange, PickedPages } from './page-range.ts';
import { shareOf } from './page-range.ts';
import type { JobReport } from './release.ts';

interface Ended {
  /** As it was to be printed, of the picked pages alone. */
  readonly document: Pick<Document, 'totalPages' | 'copies' | 'sides'>;
  readonly picked: PickedPages | undefined;
  /** Of the device itself. */
  readonly report: Pick<
    JobReport,
    'state' | 'reasons' | 'impressions' | 'impressionsCompleted' | 'sheetsCompleted'
  >;
  /** Pages can be picked out of it, and they went out once, the first one first. */
  readonly isInOrder: boolean;
}

/**
 * A job that completed and counted too few has contradicted itself; of several copies nobody knows which page of which
 * the last one was.
 */
export function missingPages({ document, picked, report, isInOrder }: Ended): PageRange | undefined {
  const { totalPages, copies, sides } = document;
  if (!isAtRest(report) || !isInOrder || totalPages === undefined || copies !== 1) return undefined;
  if (!countsPages(report, totalPages)) return undefined;
  const out = pagesOut(report, sides);
  if (out === undefined || out < 1 || out >= totalPages) return undefined;
  const first = picked?.from ?? 1;
  return { from: first + out, to: first + totalPages - 1 };
}

/** Given up, and no sheet is on its way out any more (RFC 8011 section 5.3.8, processing-to-stop-point). */
const isAtRest = ({ state, reasons }: Ended['report']): boolean =>
  (state === 'canceled' || state === 'aborted') && !reasons.includes('processing-to-stop-point');

/**
 * It expected as many impressions as there are pages, where it says so: not one for the whole document, as PAPPL does,
 * nor one for two pages on a side, nor one more for a banner (RFC 8011 section 5.3.17.2). 0 says nothing.
 */
const countsPages = ({ impressions = 0 }: Ended['report'], totalPages: number): boolean =>
  impressions < 1 || impressions === totalPages;

/**
 * Printers count sheets under the name of impressions, and some print on both sides unasked: where a sheet may have two
 * sides, both counts have to tell the same; and on both sides the last sheet is whole.
 */
function pagesOut(
  { impressionsCompleted: pages, sheetsCompleted: sheets }: Ended['report'],
  sides: Sides | undefined,
): number | undefined {
  if (sides !== undefined && isTwoSided(sides)) {
    return sheets !== undefined && pages === 2 * sheets ? pages : undefined;
  }
  if (sides === undefined) return pages === sheets ? pages : undefined;
  return sheets === undefined || pages === undefined || pages === sheets ? (pages ?? sheets) : undefined;
}

/** The document as if it had these pages alone: so it is charged, counted and recorded. */
export function onlyPages(document: Document, { from, to }: PageRange): Document {
  const { listed: _, colorPages, ...whole } = document;
  const pages = { from, to, of: document.totalPages ?? to };
  return {
    ...whole,
    totalPages: to - from + 1,
    colorPages: colorPages === undefined ? undefined : shareOf(colorPages, pages),
  };
}
