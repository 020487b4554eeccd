/** Some of the pages of a document: from and to, both included; counted from 1. */
export interface PageRange {
  readonly from: number;
  readonly to: number;
}

/** `of` is the number of pages of the whole document. */
export interface PickedPages extends PageRange {
  readonly of: number;
}

/**
 * The share of the document's colour pages that these pages are charged for. Their places are not known, so they are
 * taken to lie evenly. The shares of all parts add up to all colour pages, so no page is free because it came in a
 * part.
 */
export function shareOf(marked: number, { from, to, of }: PickedPages): number {
  const upTo = (page: number): number => Math.round((Math.min(marked, of) * page) / of);
  return upTo(to) - upTo(from - 1);
}
