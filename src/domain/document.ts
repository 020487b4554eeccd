/** A waiting document as the service's list shows it (DocumentInfo). Its numbers are already checked or clamped. */
export type Sides = 'one-sided' | 'two-sided-long-edge' | 'two-sided-short-edge';

export interface Document {
  /** Matches `^[A-Za-z0-9._-]{1,128}$`, because it becomes part of a URL path. */
  readonly uuid: string;
  /** Safe to show on a screen and to use as a job name. */
  readonly name: string;
  /** The title word for word as in the list, for the history record. Absent if it is the same as `name`. */
  readonly title?: string;
  readonly totalPages: number | undefined;
  readonly colorPages: number | undefined;
  readonly copies: number;
  readonly grayscale: boolean;
  readonly sides: Sides | undefined;
  /** The service's word (`A4`, `Letter`, …). `media.ts` of printing has the PWG name. */
  readonly paperSize: string | undefined;
  readonly collate: boolean | undefined;
  /** false: the computer that stores it cannot be reached (src/cloud/README.md 7). */
  readonly storageOnline: boolean;
  /** When it was sent, ISO 8601, UTC. */
  readonly sentAt: string | undefined;
  /** The figures word for word as in the list, unchecked. The service is asked for the cost with these figures. */
  readonly listed?: ListedFigures;
}

/** The fields that DocumentInfo and BalanceCheckData have in common. */
export interface ListedFigures {
  readonly totalPages: number | undefined;
  readonly colorPages: number | undefined;
  readonly paperSize: string | undefined;
}

/** `monochrome`: the service says that the printer has no colour. `undefined`: not known. */
export const colorPagesOf = (
  { grayscale, colorPages }: Pick<Document, 'grayscale' | 'colorPages'>,
  { monochrome }: { readonly monochrome: boolean },
): number | undefined => (grayscale || monochrome ? 0 : colorPages);

/** The service's state of a document (`status` of DocumentInfo, 0 to 9). */
export type DocumentStatus =
  | 'ready'
  | 'printed'
  | 'deleted'
  | 'expired'
  | 'failed'
  | 'received'
  | 'awaiting-conversion'
  | 'converting'
  | 'conversion-failed'
  | 'stored';

export const documentUuid = /^[A-Za-z0-9._-]{1,128}$/;

/** Above these limits a document is shown, and never printed (INVARIANTS.md B.4, 3 List). */
export const documentLimits = { copies: 999, pages: 5000 } as const;

export const isBeyondLimits = (document: Document): boolean =>
  document.copies > documentLimits.copies || (document.totalPages ?? 0) > documentLimits.pages;
