/** Some of the pages of a document: from and to, both included; counted from 1. */
export interface PageRange {
  readonly from: number;
  readonly to: number;
}

/** `of`: so many pages the whole document has. */
export interface PickedPages extends PageRange {
  readonly of: number;
}

/**
 * Of so many pages of a document in colour, those that these are charged for: nobody has told where they lie, so they are
 * taken to lie evenly. The shares of all parts together are all of them: no page is free because it came in a part.
 */
export function shareOf(marked: number, { from, to, of }: PickedPages): number {
  const upTo = (page: number): number => Math.round((Math.min(marked, of) * page) / of);
  return upTo(to) - upTo(from - 1);
}
