/** The size of a choice of documents, as a person is told before it is printed. */
import type { PageRange } from './page-range.ts';
import { countOf } from './page-range.ts';

/** The number of pages may be unknown. */
interface Listed {
  readonly pages: number | undefined;
  readonly copies: number;
  /** Absent: all. */
  readonly chosenPages?: readonly PageRange[] | undefined;
}

export interface PrintTotal {
  readonly documents: number;
  /** Pages of all copies together. */
  readonly pages: number;
  /** A document with an unknown number of pages counts as one page. */
  readonly isAtLeast: boolean;
}

export const totalOf = (documents: readonly Listed[]): PrintTotal => ({
  documents: documents.length,
  pages: documents.reduce((sum, one) => sum + pagesOf(one) * one.copies, 0),
  isAtLeast: documents.some(({ pages }) => pages === undefined),
});

const pagesOf = ({ pages = 1, chosenPages }: Listed): number =>
  chosenPages === undefined ? pages : countOf(chosenPages);

/** `limit` comes from the view. Without a limit the person is not asked. */
export const isMany = ({ pages }: PrintTotal, limit: number | undefined): boolean =>
  limit !== undefined && pages > limit;
