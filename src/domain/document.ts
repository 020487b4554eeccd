/** A waiting document as the service's list shows it (DocumentInfo), with its numbers already believed or clamped. */
export type Sides = 'one-sided' | 'two-sided-long-edge' | 'two-sided-short-edge';

export interface Document {
  /** Matches `^[A-Za-z0-9._-]{1,128}$`: it becomes part of a URL path. */
  readonly uuid: string;
  /** As a screen can show it, and a job can be called. */
  readonly name: string;
  /** Where the list has it otherwise: as it is there, for the history record. */
  readonly title?: string;
  readonly totalPages: number | undefined;
  readonly colorPages: number | undefined;
  readonly copies: number;
  readonly grayscale: boolean;
  readonly sides: Sides | undefined;
  /** The service's word (`A4`, `Letter`, …); see `media.ts` of printing for the PWG name. */
  readonly paperSize: string | undefined;
  readonly collate: boolean | undefined;
  /** false: the computer that stores it cannot be reached (src/cloud/README.md 7). */
  readonly storageOnline: boolean;
  /** When it was sent, ISO 8601, UTC. */
  readonly sentAt: string | undefined;
  /** Where it is of a list, what that says word for word, believed or not: so the service is asked for its cost. */
  readonly listed?: ListedFigures;
}

/** The fields that DocumentInfo and BalanceCheckData have in common. */
export interface ListedFigures {
  readonly totalPages: number | undefined;
  readonly colorPages: number | undefined;
  readonly paperSize: string | undefined;
}

/** `monochrome`: its printer makes no colour, by the service's word. `undefined`: nobody told. */
export const colorPagesOf = (
  { grayscale, colorPages }: Pick<Document, 'grayscale' | 'colorPages'>,
  { monochrome }: { readonly monochrome: boolean },
): number | undefined => (grayscale || monochrome ? 0 : colorPages);

/** What the service says of a document (`status` of DocumentInfo, 0 to 9). */
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

/** Above these a document is shown, and never printed (INVARIANTS.md B.4, 3 List). */
export const documentLimits = { copies: 999, pages: 5000 } as const;

export const isBeyondLimits = (document: Document): boolean =>
  document.copies > documentLimits.copies || (document.totalPages ?? 0) > documentLimits.pages;
