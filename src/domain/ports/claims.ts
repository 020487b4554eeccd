/**
 * The claim: the irrevocable right to print one document, taken once before its intent, without expiry (F5, F9). A
 * single gateway takes it from its own ledger; in a fleet the engine gives it. The case of a document's uuid does not
 * matter for a claim.
 */
import type { EndState, FinishMode, OpenState } from '../release.ts';
import type { HistoryRecord } from '../history.ts';
import type { CallOptions } from './call.ts';
import type { PrinterJob } from './printing.ts';

/**
 * A release whose record must count no more pages than these, because another release printed the rest, or may have.
 */
export interface CutRecord {
  readonly releaseId: string;
  readonly pages: number;
}

/** A record that a release leaves to its successor if its gateway vanishes. */
export interface Will {
  /** As the service writes it. */
  readonly documentUuid: string;
  readonly serialNumber: string;
  readonly jobName: string;
  /** `undefined` if the service is to print it. */
  readonly printerUri: string | undefined;
  readonly inOneStep: boolean;
  /** Pages of all copies together. */
  readonly documentPages: number | undefined;
  readonly history: HistoryRecord;
  /** The records that it cuts, unless nothing comes out of it. Added if there is an engine. */
  readonly cuts?: readonly CutRecord[];
}

export interface ClaimWish {
  readonly documentUuid: string;
  readonly releaseId: string;
  readonly terminal: string;
  /** The location of the terminal, for people at other terminals. */
  readonly place: string;
  /** The release that a person asked to repeat, after they were told that it may have printed (I1). */
  readonly again?: string;
  /** `keep`: a printed document may be printed again without a further word. */
  readonly finish: FinishMode;
  readonly will: Will;
}

export interface Claim {
  readonly documentUuid: string;
  readonly releaseId: string;
  /** Grows from claim to claim of a fleet (F9). 0: the claim is known only here. */
  readonly number: number;
  /** Raised only by a successor, to shut out the former holder of the claim (F6). */
  readonly version: number;
}

/** `version` is absent if the answer to `take` was lost, or if none was asked for. */
export type ClaimedRelease = Pick<Claim, 'documentUuid' | 'releaseId'> & Partial<Pick<Claim, 'version'>>;

export interface ClaimOptions extends CallOptions {
  /** The engine keeps us waiting; `undefined` when it no longer does. */
  readonly onWait?: ((wait: 'engine-away' | undefined) => void) | undefined;
}

/** A document or claim that another member has. */
export interface HeldElsewhere {
  /** `forgottenRelease` if an engine that has forgotten never heard of the document (F9). */
  readonly releaseId: string;
  /** Absent if it is not known. */
  readonly place?: string;
  /** ISO 8601, UTC: our time minus the age by the engine, because members' clocks differ. */
  readonly at: string;
  readonly how: 'in-progress' | 'printed' | 'may-have-printed';
  /** It was printed, and must be deleted in the service. The gateway that sees its owner next does that. */
  readonly deletionOwed?: true;
}

export interface Claims {
  /**
   * Once for each document; the same release gets the same claim again. Rejects with `document-claimed`, with
   * `fleet-forgot` if the engine may have lost an earlier claim, and with `fleet-engine-away` after 10 s (F12).
   */
  take(wish: ClaimWish, options: ClaimOptions): Promise<Claim>;
  /**
   * Called before the first byte may go out, with the job if the printer has made one (F6). Rejects with `claim-lost`
   * and `fleet-engine-away`.
   */
  sending(claim: Claim, job: PrinterJob | undefined, options: ClaimOptions): Promise<void>;
  /**
   * Reports how the ledger ended it. While the engine is away, the report is made up for later: the ledger is the
   * truth.
   */
  ended(release: ClaimedRelease, state: EndState): void;
  /**
   * For a release that a restart found open: whether no successor has raised its claim. Rejects with
   * `fleet-engine-away`.
   */
  isOurs(claim: Claim, options: CallOptions): Promise<boolean>;
  /**
   * The claims of other members on these documents, by uuid as it was given; empty if the engine cannot be asked now.
   */
  elsewhere(
    documentUuids: readonly string[],
    options: CallOptions,
  ): Promise<ReadonlyMap<string, HeldElsewhere>>;
  /** A person found the pages of a document that may have printed elsewhere. */
  found(documentUuid: string, held: HeldElsewhere): void;
}

/** A release of this gateway whose claim others know, as its own ledger tells it. */
export interface ClaimedAttempt extends Claim {
  readonly terminal: string;
  readonly state: OpenState | EndState;
  /** When the release was wished for: ISO 8601, UTC. */
  readonly startedAt: string;
  /** Its history record waits in the outbox. */
  readonly owesHistory: boolean;
  readonly deletionOwed: boolean;
}

export interface KnownRelease
  extends Pick<ClaimedAttempt, 'number' | 'state' | 'owesHistory' | 'deletionOwed'> {
  /** Another member was to record it. If that member has left it to us, it is not in the outbox yet. */
  readonly leftHistory: boolean;
  /**
   * The end of the last earlier release of the document with output, or perhaps with output. If another member had that
   * release, it always counts as perhaps.
   */
  readonly before?: EndState;
  /** The records that it cuts, unless nothing comes out of it; without records of ours that may have arrived uncut. */
  readonly cuts?: readonly CutRecord[];
}

/**
 * This gateway's own knowledge of claims, from its ledger. The ledger is the truth about how its own releases ended.
 */
export interface ClaimBooks {
  /** The highest number beside an intent; 0 if there is none (F9). */
  highest(): number;
  /** All that the ledger still has, oldest first. */
  all(): readonly ClaimedAttempt[];
  /** Also those with an intent and without a claim of an engine: their number and version are 0 (F12). */
  every(): readonly ClaimedAttempt[];
  /** Also for a release that never reached its intent. */
  of(releaseId: string): KnownRelease | undefined;
  /**
   * Everything read before is on the disk when it resolves. So the engine never hears of a fact that a power cut may
   * take back (B.1).
   */
  durable(): Promise<void>;
}
