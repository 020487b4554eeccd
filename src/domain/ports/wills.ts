/**
 * What members of a fleet leave that are gone: what they had in hand is settled by a successor as after a restart, and
 * the history that they owe is posted, each record by one member (F6 to F8).
 */
import type { CallOptions } from './call.ts';
import type { OpenAttempt } from './ledger.ts';

/**
 * Whose a history record is: `ours`, from now on, and where another release printed some of its pages, with no more of
 * them than these · `anothers`: of a member that has taken the release over · `not-yet`: the engine has not heard that the
 * release has ended.
 */
export type RecordStanding = 'ours' | { readonly pages: number } | 'anothers' | 'not-yet';

export interface PostingOptions extends CallOptions {
  /** So many the record counts. */
  readonly pages?: number | undefined;
}

export interface Wills {
  /** Before it is posted. Rejects with `fleet-engine-away`. */
  posting(releaseId: string, options: PostingOptions): Promise<RecordStanding>;
  /** The service has it. While the engine is away it is made up for later. */
  posted(releaseId: string): void;
}

/** Who settles, in this gateway. */
export interface Heir {
  /** The document is on its way here: it is nothing to be taken over now. */
  isBusyWith(documentUuid: string): boolean;
  /** A terminal here has the printer, so its jobs can be asked about. */
  canAsk(printerUri: string): boolean;
  resume(attempts: readonly OpenAttempt[]): void;
}
