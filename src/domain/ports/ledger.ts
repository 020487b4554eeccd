/** The write-ahead ledger of releases, its read-only register, and the outbox that depends on it. */
import type { Duration } from '../../core/duration.ts';
import type { HistoryRecord } from '../history.ts';
import type { PageRange } from '../page-range.ts';
import type { Trace } from '../release-trace.ts';
import type {
  AdministratorsWord,
  Confirmation,
  EndState,
  JobReport,
  LastRelease,
  OpenState,
  Outcome,
  PageCount,
  Ticket,
} from '../release.ts';
import type { ProblemCode } from '../problem/problem-kinds.ts';
import type { Claim, Will } from './claims.ts';
import type { PrinterJob } from './printing.ts';

/** An attempt as a restart finds it. */
export interface OpenAttempt {
  readonly releaseId: string;
  readonly terminal: string;
  readonly state: OpenState;
  readonly documentUuid: string;
  readonly jobName: string;
  /** The address in the intent; `undefined` before the intent, and if the service was to deliver. */
  readonly printerUri: string | undefined;
  /** The document was to go out in the same request that makes the job. */
  readonly inOneStep?: boolean | undefined;
  readonly job: PrinterJob | undefined;
  /** Absent if the claim was known only here, and before its intent. */
  readonly claim?: Claim | undefined;
  /** Pages of all copies together. */
  readonly documentPages?: number | undefined;
  /** The vanished member that began it. This gateway does not know how much that member sent (F6). */
  readonly from?: string | undefined;
}

/** A release that a vanished member left, and whose claim is ours now (F6). */
export interface Inheritance {
  readonly claim: Claim;
  readonly terminal: string;
  /** The member that left it. */
  readonly from: string;
  readonly will: Will;
  /**
   * `PLANNED`: nothing went out, and nothing will · `INTENT`: it may have gone out, or an empty job may be left ·
   * `JOB`: it may have gone to this job. The other states have ended, and only their history is owed.
   */
  readonly state: 'PLANNED' | 'INTENT' | 'JOB' | 'HANDED-OVER' | 'UNKNOWN';
  readonly job?: PrinterJob;
  /** Only for a release that has ended. */
  readonly deletionOwed: boolean;
  /** Only for the end `UNKNOWN`. */
  readonly holdFor: Duration;
  /** Its record was on its way to the service when the member was last heard of, so it is looked for first. */
  readonly mayHaveArrived: boolean;
}

export interface ReleaseRow {
  readonly releaseId: string;
  readonly terminal: string;
  readonly documentUuid: string;
  readonly state: OpenState | EndState;
  readonly outcome: Outcome | undefined;
  /** For an unknown release in a list: the observation of a person at the printer later. */
  readonly settled?: 'printed' | 'not-printed';
  readonly confirmation: Confirmation | undefined;
  /** How much came out, and who says so; `undefined` while it is under way, and if nothing came out. */
  readonly pages: PageCount | undefined;
  readonly problem: string | undefined;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly endedAt: string | undefined;
  readonly deletionOwed: boolean;
  /** From the wish to the end; absent while it is under way. */
  readonly tookMs?: number;
}

export interface ReleaseEvent {
  readonly state: string;
  readonly at: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface IntendedWay extends Pick<OpenAttempt, 'inOneStep' | 'claim'> {
  /**
   * Only an empty job is made before the next step, which is `jobCreated`; the intent becomes durable with that. After
   * a power cut in between, the document is unchanged, and the printer gives the empty job up.
   */
  readonly isJobNext?: boolean;
}

/**
 * The write-ahead attempt ledger (D1). Each call is one transaction, which survives a killed process. A power cut may
 * lose it until `durable` has resolved (INVARIANTS.md B.1). Throws `store-refused` (full, read-only: nothing written)
 * or `store-failed` (D12: the agent must end).
 */
export interface Ledger {
  /** Keeps the history record, which is posted if something comes out. Refuses when the outbox is full (D8). */
  plan(attempt: {
    ticket: Ticket;
    jobName: string;
    history: HistoryRecord;
    /** The release that a person asked to repeat, after they were told that it may have printed (I1). */
    again?: string;
  }): void;
  /**
   * The document is complete before the intent. A document that is sent while it arrives reports its digest with
   * `sent`. This fact is written with the next step of the release, because nothing depends on it before that.
   */
  fetched(releaseId: string, document: { length: number; digest: string }): void;
  /** Must be durable before the service is asked to deliver (I1). */
  intendByService(releaseId: string, serialNumber: string, claim?: Claim): void;
  /** The service definitely refused. Nothing came out, and the release may go on here. */
  refusedByService(releaseId: string): void;
  /**
   * Must be durable before the first byte (I1), unless `isJobNext`. A claim that others know is kept beside it (F9).
   */
  intend(releaseId: string, printerUri: string, way?: IntendedWay): void;
  /**
   * Must be durable before the first byte (I1). The job's marks are sealed, because they may name its owner and its
   * document.
   */
  jobCreated(releaseId: string, job: PrinterJob): void;
  /**
   * `facts`: facts that were not known at the intent, because the document was still arriving. `job`: the job with the
   * marks that are known now.
   */
  sent(releaseId: string, facts?: { digest: string; length: number }, job?: PrinterJob): void;
  /**
   * Writes the end state and, unless nothing came out, the history row in ONE transaction. It must be durable before
   * the document leaves the cloud, or other members of a fleet hear of it. An `unknown` outcome is held for `holdFor`
   * before it may be posted. The page count is made of the report and the document's own pages. `history: 'service'`:
   * no row, because the service records its own deliveries, and ours would count twice (src/cloud/README.md 12, row
   * 17). `successor`: the member that has the claim now settles and records it (F6).
   */
  end(
    releaseId: string,
    end: {
      state: EndState;
      confirmation?: Confirmation;
      problem?: string;
      /** The reasons in the standard's words (`Problem.reasons`), so that the printer's need can be read later. */
      reasons?: readonly string[];
      /** The pages that did not come out, if that is certain. */
      missing?: PageRange;
      report?: JobReport;
      /** The source of the counters in `report`; the device itself if absent. */
      reportedBy?: 'device' | 'spooler';
      history?: 'service' | 'successor';
      deletionOwed: boolean;
      holdFor: Duration;
      /** The times of the release, kept with its end. */
      trace?: Trace;
    },
  ): void;
  /**
   * A person found the output of an UNKNOWN or PARTIAL release, so its history is due at once. Must be durable before
   * the document leaves the cloud. The state stays (I11). Does nothing for a release whose record is gone
   * (`forgottenRelease`).
   */
  confirmedByPerson(releaseId: string): void;
  /**
   * An administrator went to look, and says what came out of an UNKNOWN or PARTIAL release that no person has settled
   * before. `came-out`: the same as a person's word; with `deletionOwed` its document leaves the cloud at its owner's
   * next login. `did-not-come-out`: its record is not posted, unless it was before. The state stays, and its owner is
   * still asked whether to print the document again (I1, I11).
   */
  settled(releaseId: string, word: AdministratorsWord, options: { deletionOwed: boolean }): void;
  /** The document of a completed release is gone from the cloud, or counted there as released. */
  deleted(releaseId: string): void;
  /** `but`: without this release. */
  lastRelease(documentUuid: string, options?: { readonly but?: string }): LastRelease | undefined;
  /**
   * A vanished member's release becomes ours. If it is open, its desk settles it as after a restart; if it has ended,
   * it comes with its history row. A second call does nothing. A release that was ours before it was that member's
   * keeps its state (I11), and its record is ours to post again.
   */
  inherit(left: Inheritance): void;
  /** Every earlier call is on disk, with its place in the chain. Rejects with `store-failed`. */
  durable(): Promise<void>;
  /** Attempts without an end state, oldest first. */
  open(): readonly OpenAttempt[];
}

export interface FoundRelease {
  readonly row: ReleaseRow;
  readonly events: readonly ReleaseEvent[];
  /** Its history record, until the service has taken it. */
  readonly history?: {
    /** ISO 8601, UTC: not posted before. */
    readonly dueAt: string;
    /** Why the service will never take it as it is. */
    readonly rejected?: string;
  };
  /** The times of the release; absent if a restart found it open. */
  readonly trace?: Trace;
}

export interface UnsettledRelease extends ReleaseRow {
  /** `undefined` if the service was to print it. */
  readonly printerUri: string | undefined;
  /** Pages of all copies together; absent if the document does not tell. */
  readonly documentPages?: number;
  /** Its record still waits here, so a word can decide whether it is posted. */
  readonly hasRecord: boolean;
}

/** The releases that a list shows. An absent field allows every value. */
export interface ReleaseFilter {
  readonly terminal?: string | undefined;
  readonly outcome?: Outcome | undefined;
  /** Wished for at that moment or later; ISO 8601, UTC. */
  readonly since?: string | undefined;
}

/** Read-only, also for `platen releases` beside a running agent. */
/** How long it took from the choice, and how it ended. */
export interface EndedRelease {
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly outcome: Outcome;
  readonly seconds: number;
}

export interface ReleaseRegister {
  /** Newest first. */
  list(limit: number, filter?: ReleaseFilter): readonly ReleaseRow[];
  /** The ended releases among those that began since then: of one terminal, or of all. */
  ended(since: string, terminal?: string): readonly EndedRelease[];
  /** The number that ended as `unknown` since then; ISO 8601, UTC. */
  unknownSince(since: string): number;
  /**
   * Releases that ended as `unknown`, that no person has settled, and whose document was not released since. Newest
   * first.
   */
  unsettled(limit: number): readonly UnsettledRelease[];
  /** The number of releases of this printer that ended with this problem although a person found the pages. */
  foundInTray(printerUri: string, problem: ProblemCode): number;
  /** The release whose id begins with the prefix, with all its facts; `undefined` if there is none or more than one. */
  find(idPrefix: string): FoundRelease | undefined;
  /** More than one release has an id that begins with the prefix. */
  isAmbiguous(idPrefix: string): boolean;
}

/** A history record that the service has not taken. */
export interface WaitingRecord {
  readonly releaseId: string;
  readonly terminal: string;
  /** `held`: a person may still tell what came out · `dead-letter`: the service will never take it as it is. */
  readonly state: 'waiting' | 'held' | 'dead-letter';
  /** ISO 8601, UTC: not posted before. */
  readonly dueAt: string;
  /** How often it was posted without success. */
  readonly failures: number;
  /** Only for a dead letter. */
  readonly reason?: string;
  readonly record: HistoryRecord;
}

export interface OutboxCounts {
  readonly waiting: number;
  readonly held: number;
  readonly deadLetters: number;
}
