/**
 * The releases and records that vanished members of a fleet leave. A successor settles the open releases as after a
 * restart. The owed history is posted, each record by one member (F6 to F8).
 */
import type { CallOptions } from './call.ts';
import type { OpenAttempt } from './ledger.ts';

/**
 * The owner of a history record. `ours`: from now on. With `pages`: ours, but with no more pages than these, because
 * another release printed the rest · `anothers`: a member has taken the release over · `not-yet`: the engine has not
 * heard that the release has ended.
 */
export type RecordStanding = 'ours' | { readonly pages: number } | 'anothers' | 'not-yet';

export interface PostingOptions extends CallOptions {
  /** The number of pages in the record. */
  readonly pages?: number | undefined;
}

export interface Wills {
  /** Asked before it is posted. Rejects with `fleet-engine-away`. */
  posting(releaseId: string, options: PostingOptions): Promise<RecordStanding>;
  /** The service has it. While the engine is away, the report is made up for later. */
  posted(releaseId: string): void;
}

/** The part of this gateway that settles. */
export interface Heir {
  /** The document is on its way here, so it must not be taken over now. */
  isBusyWith(documentUuid: string): boolean;
  /** A terminal here has the printer, so its jobs can be asked about. */
  canAsk(printerUri: string): boolean;
  resume(attempts: readonly OpenAttempt[]): void;
}
