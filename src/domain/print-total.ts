/** How much a choice of documents is, as a person is told before it is printed. */

/** Nobody may know how many pages one has. */
interface Listed {
  readonly pages: number | undefined;
  readonly copies: number;
}

export interface PrintTotal {
  readonly documents: number;
  /** Of all copies. */
  readonly pages: number;
  /** Of some document nobody knows how many pages it has: one at least. */
  readonly isAtLeast: boolean;
}

export const totalOf = (documents: readonly Listed[]): PrintTotal => ({
  documents: documents.length,
  pages: documents.reduce((sum, { pages = 1, copies }) => sum + pages * copies, 0),
  isAtLeast: documents.some(({ pages }) => pages === undefined),
});

/** `limit`: of the view; nothing is asked where that says none. */
export const isMany = ({ pages }: PrintTotal, limit: number | undefined): boolean =>
  limit !== undefined && pages > limit;
