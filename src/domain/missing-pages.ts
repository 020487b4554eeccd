/**
 * The pages of a document that did not come out, if that is certain: the job was given up, and the printer had counted
 * its output before. A guess is not offered, because the person would get pages twice, or never (I1, I12).
 */
import { isTwoSided } from './document-changes.ts';
import type { Document, Sides } from './document.ts';
import type { PageRange, PickedPages } from './page-range.ts';
import type { JobReport } from './release.ts';

interface Ended {
  /** The document as it was to be printed, with only the picked pages. */
  readonly document: Pick<Document, 'totalPages' | 'copies' | 'sides'>;
  readonly picked: PickedPages | undefined;
  /** The device's own report. */
  readonly report: Pick<
    JobReport,
    'state' | 'reasons' | 'impressions' | 'impressionsCompleted' | 'sheetsCompleted'
  >;
  /** Pages can be picked out of the document, and they went out once, in order. */
  readonly isInOrder: boolean;
}

/**
 * A completed job with too low a count contradicts itself. With several copies it is not known which page was the last.
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

/** The job was given up, and no sheet is on its way out any more (RFC 8011 section 5.3.8, processing-to-stop-point). */
const isAtRest = ({ state, reasons }: Ended['report']): boolean =>
  (state === 'canceled' || state === 'aborted') && !reasons.includes('processing-to-stop-point');

/**
 * The printer expected as many impressions as there are pages, if it says so. It may also count one per document, as
 * PAPPL does, one for two pages on a side, or one more for a banner (RFC 8011 section 5.3.17.2). 0 says nothing.
 */
const countsPages = ({ impressions = 0 }: Ended['report'], totalPages: number): boolean =>
  impressions < 1 || impressions === totalPages;

/**
 * Some printers count sheets as impressions, and some print on both sides unasked. So if a sheet may have two sides,
 * both counts must agree. On both sides the last sheet is always whole.
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
