/** The documents of a list by what may happen to them; how they are sorted is `session-documents.ts`. */
import type { Document } from '../domain/document.ts';
import type { DocumentView } from '../domain/terminal/terminal-view.ts';

/** A document whose last release may have printed it; what becomes of it, only a person says (B.1). */
export interface Doubtful {
  readonly document: Document;
  /** That release, and when it ended (ISO 8601, UTC), where the ledger still knows. */
  readonly releaseId: string;
  readonly at: string | undefined;
}

/** Not to be had at the moment. */
export interface LeftAlone {
  readonly document: Document;
  readonly why: NonNullable<DocumentView['why']>;
}

/** The user's documents by what may happen to them without a further word. */
export interface Sorted {
  readonly releasable: readonly Document[];
  /** Perhaps printed already: left alone until the person says more. */
  readonly doubtful: readonly Doubtful[];
  readonly others: readonly LeftAlone[];
  /** The list was full; the person may find more of them elsewhere. */
  readonly mayBeMore: boolean;
  /** How many the list has under another name than theirs: they see none of them, and hear of it. */
  readonly underOtherName: number;
}

export const noDocuments: Sorted = {
  releasable: [],
  doubtful: [],
  others: [],
  mayBeMore: false,
  underOtherName: 0,
};
