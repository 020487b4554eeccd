/**
 * The claim: the irrevocable right to print one document, taken once before its intent, without expiry (F5, F9). Alone,
 * a gateway has it by its own ledger; in a fleet the engine gives it. Claims hang on a document whatever the case of
 * its uuid.
 */
import type { EndState, FinishMode, OpenState } from '../release.ts';
import type { HistoryRecord } from '../history.ts';
import type { CallOptions } from './call.ts';
import type { PrinterJob } from './printing.ts';

/** A release whose record is to count no more pages than these: another one printed the rest, or may have. */
export interface CutRecord {
  readonly releaseId: string;
  readonly pages: number;
}

/** What a release leaves to whoever settles it should its gateway vanish. */
export interface Will {
  /** As the service writes it. */
  readonly documentUuid: string;
  readonly serialNumber: string;
  readonly jobName: string;
  /** `undefined`: the service is to print it. */
  readonly printerUri: string | undefined;
  readonly inOneStep: boolean;
  /** Of all copies. */
  readonly documentPages: number | undefined;
  readonly history: HistoryRecord;
  /** What it cuts unless nothing comes out of it; added where there is an engine. */
  readonly cuts?: readonly CutRecord[];
}

export interface ClaimWish {
  readonly documentUuid: string;
  readonly releaseId: string;
  readonly terminal: string;
  /** Where that stands, for people elsewhere. */
  readonly place: string;
  /** The release that a person asked to repeat, told that it may have printed (I1). */
  readonly again?: string;
  /** `keep`: what was printed may be printed again without a word. */
  readonly finish: FinishMode;
  readonly will: Will;
}

export interface Claim {
  readonly documentUuid: string;
  readonly releaseId: string;
  /** Grows from claim to claim of a fleet (F9); 0: nobody else hears of it. */
  readonly number: number;
  /** Raised only by a successor: it keeps out whoever had the claim before (F6). */
  readonly version: number;
}

/** `version`: absent where the answer to `take` was lost, or never asked for. */
export type ClaimedRelease = Pick<Claim, 'documentUuid' | 'releaseId'> & Partial<Pick<Claim, 'version'>>;

export interface ClaimOptions extends CallOptions {
  /** The engine keeps us waiting; `undefined`: no longer. */
  readonly onWait?: ((wait: 'engine-away' | undefined) => void) | undefined;
}

/** Of another member. */
export interface HeldElsewhere {
  /** `forgottenRelease`: of a document that an engine that has forgotten never heard of (F9). */
  readonly releaseId: string;
  /** Absent where nobody knows. */
  readonly place?: string;
  /** ISO 8601, UTC: our time less the engine's age of it, for members' clocks differ. */
  readonly at: string;
  readonly how: 'in-progress' | 'printed' | 'may-have-printed';
  /** It was printed, and is to be deleted in the service: by whoever sees its owner next. */
  readonly deletionOwed?: true;
}

export interface Claims {
  /**
   * Once for each document; again by the same release it is the same claim. Rejects with `document-claimed`, with
   * `fleet-forgot` where the engine may have lost an earlier one, and with `fleet-engine-away` after 10 s (F12).
   */
  take(wish: ClaimWish, options: ClaimOptions): Promise<Claim>;
  /**
   * Before the first byte may go out, with the job where the printer has made one (F6). Rejects with `claim-lost` and
   * `fleet-engine-away`.
   */
  sending(claim: Claim, job: PrinterJob | undefined, options: ClaimOptions): Promise<void>;
  /** How the ledger ended it. While the engine is away it is made up for later: the ledger is the truth. */
  ended(release: ClaimedRelease, state: EndState): void;
  /** Of a release that a restart found open: whether no successor has raised it. Rejects with `fleet-engine-away`. */
  isOurs(claim: Claim, options: CallOptions): Promise<boolean>;
  /** What others have of these documents, by uuid as it was given; empty where nobody can be asked now. */
  elsewhere(
    documentUuids: readonly string[],
    options: CallOptions,
  ): Promise<ReadonlyMap<string, HeldElsewhere>>;
  /** A person found the pages of what may have printed elsewhere. */
  found(documentUuid: string, held: HeldElsewhere): void;
}

/** A release of this gateway whose claim others hear of, as its own books tell it. */
export interface ClaimedAttempt extends Claim {
  readonly terminal: string;
  readonly state: OpenState | EndState;
  /** Of its wish: ISO 8601, UTC. */
  readonly startedAt: string;
  /** Its history record waits in the outbox. */
  readonly owesHistory: boolean;
  readonly deletionOwed: boolean;
}

export interface KnownRelease
  extends Pick<ClaimedAttempt, 'number' | 'state' | 'owesHistory' | 'deletionOwed'> {
  /** Another member was to record it; where that one has left it to us, it is not in the outbox yet. */
  readonly leftHistory: boolean;
  /**
   * How the last release of that document before it ended by which something came out, or may have; of one that was
   * another member's, that it may have.
   */
  readonly before?: EndState;
  /** What it cuts unless nothing comes out of it, but for records of ours that may have arrived as they were. */
  readonly cuts?: readonly CutRecord[];
}

/** What this gateway's books know of claims: the truth about how its own releases ended. */
export interface ClaimBooks {
  /** The highest number that stands beside an intent; 0 where there is none (F9). */
  highest(): number;
  /** All that the ledger still has, oldest first. */
  all(): readonly ClaimedAttempt[];
  /** Also those that have their intent, and no claim of an engine: their number and version are 0 (F12). */
  every(): readonly ClaimedAttempt[];
  /** Also of a release that never came to its intent. */
  of(releaseId: string): KnownRelease | undefined;
  /** What was read before is on the disk when it resolves: the engine hears of nothing that a power cut may take back (B.1). */
  durable(): Promise<void>;
}
