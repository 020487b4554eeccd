/** The write-ahead ledger of releases, its read-only register, and the outbox that hangs on it. */
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
  /** What the intent named; `undefined` before it, and where the service was to deliver. */
  readonly printerUri: string | undefined;
  /** The document was to go out with the very request that makes the job. */
  readonly inOneStep?: boolean | undefined;
  readonly job: PrinterJob | undefined;
  /** Absent where nobody else heard of it, and before its intent. */
  readonly claim?: Claim | undefined;
  /** Of all copies. */
  readonly documentPages?: number | undefined;
  /** The member that began it and is gone: what it sent nobody here has seen (F6). */
  readonly from?: string | undefined;
}

/** A release that a gone member left, and whose claim is ours by now (F6). */
export interface Inheritance {
  readonly claim: Claim;
  readonly terminal: string;
  /** The member that left it. */
  readonly from: string;
  readonly will: Will;
  /**
   * `PLANNED`: nothing went out, and nothing will · `INTENT`: it may have gone out, or an empty job may be left ·
   * `JOB`: to this job. The others have ended, and only their history is owed.
   */
  readonly state: 'PLANNED' | 'INTENT' | 'JOB' | 'HANDED-OVER' | 'UNKNOWN';
  readonly job?: PrinterJob;
  /** Of one that has ended. */
  readonly deletionOwed: boolean;
  /** Of an end that is `UNKNOWN`. */
  readonly holdFor: Duration;
  /** Its record was on its way to the service when the member was last heard of: it is looked for first. */
  readonly mayHaveArrived: boolean;
}

export interface ReleaseRow {
  readonly releaseId: string;
  readonly terminal: string;
  readonly documentUuid: string;
  readonly state: OpenState | EndState;
  readonly outcome: Outcome | undefined;
  /** Of an unknown one in a list: what somebody saw at the printer since. */
  readonly settled?: 'printed' | 'not-printed';
  readonly confirmation: Confirmation | undefined;
  /** How much came out, and by whose word; `undefined` while it is under way and where nothing came out. */
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
   * Nothing but an empty job is made before the next step, which is `jobCreated`: the intent is durable with that. A power
   * cut in between leaves the document as it was, and the printer gives the empty job up.
   */
  readonly isJobNext?: boolean;
}

/**
 * The write-ahead attempt ledger (D1). Each call is one transaction, which no killed process loses; a power cut may take
 * it until `durable` has resolved (INVARIANTS.md B.1). Throws `store-refused` (full, read-only: nothing written) or `store-failed` (D12: the
 * agent must end).
 */
export interface Ledger {
  /** Keeps the history record to be posted if something comes out; refuses when the outbox is full (D8). */
  plan(attempt: {
    ticket: Ticket;
    jobName: string;
    history: HistoryRecord;
    /** The release that a person, told that it may have printed, asked to repeat (I1). */
    again?: string;
  }): void;
  /**
   * The document is whole before the intent; one that is sent while it comes in tells its digest with `sent`. It is written
   * with the next step of its release: until then nothing has come of it.
   */
  fetched(releaseId: string, document: { length: number; digest: string }): void;
  /** To be durable before the service is asked to deliver (I1). */
  intendByService(releaseId: string, serialNumber: string, claim?: Claim): void;
  /** The service definitely would not: nothing came out, and the release may go on here. */
  refusedByService(releaseId: string): void;
  /** To be durable before the first byte (I1), unless `isJobNext`. A claim that others hear of is kept beside it (F9). */
  intend(releaseId: string, printerUri: string, way?: IntendedWay): void;
  /** To be durable before the first byte (I1). The job's marks are sealed: they may name its owner and its document. */
  jobCreated(releaseId: string, job: PrinterJob): void;
  /**
   * `facts`: what was not known at the intent, because the document was still coming in; and the job as it is told by
   * now.
   */
  sent(releaseId: string, facts?: { digest: string; length: number }, job?: PrinterJob): void;
  /**
   * End state and, unless nothing came out, the history row: ONE transaction, to be durable before the document leaves the
   * cloud or others of a fleet hear of it. An outcome of `unknown` is held for
   * `holdFor` before it may be posted. The page count is made of the report and the document's own pages. `history:
   * 'service'`: no row, because the service records what it delivers itself, and ours would be counted besides
   * (src/cloud/README.md 12, row 17); `successor`: the member that has its claim by now settles it and records it (F6).
   */
  end(
    releaseId: string,
    end: {
      state: EndState;
      confirmation?: Confirmation;
      problem?: string;
      /** Why, in the standard's words (`Problem.reasons`): it can be read later what the printer needed. */
      reasons?: readonly string[];
      /** Those that did not come out, where that is certain. */
      missing?: PageRange;
      report?: JobReport;
      /** Who counts in `report`; the device itself unless said. */
      reportedBy?: 'device' | 'spooler';
      history?: 'service' | 'successor';
      deletionOwed: boolean;
      holdFor: Duration;
      /** Where the time went; kept with the end. */
      trace?: Trace;
    },
  ): void;
  /**
   * A person found the output of an UNKNOWN or PARTIAL release: its history is due at once. To be durable before the
   * document leaves the cloud. The state stays (I11). For
   * a release whose record is gone (`forgottenRelease`) it does nothing.
   */
  confirmedByPerson(releaseId: string): void;
  /**
   * An administrator went to look, and says what became of an UNKNOWN or PARTIAL release that no person has settled before.
   * `came-out`: as with a person's word; `deletionOwed`: its document leaves the cloud at its owner's next login.
   * `did-not-come-out`: its record is not posted, unless it was before. The state stays, and its owner is asked as before
   * whether the document is to be printed again (I1, I11).
   */
  settled(releaseId: string, word: AdministratorsWord, options: { deletionOwed: boolean }): void;
  /** The document of a completed release is gone from the cloud, or counted there as released. */
  deleted(releaseId: string): void;
  /** `but`: this one aside. */
  lastRelease(documentUuid: string, options?: { readonly but?: string }): LastRelease | undefined;
  /**
   * A gone member's release becomes one of ours: open, for its desk to settle as after a restart, or ended with its
   * history row. Again, it does nothing. A release that was ours before it was that member's keeps its state (I11), and
   * its record is ours to post again.
   */
  inherit(left: Inheritance): void;
  /** All that was called before is on disk, and its place in the chain with it. Rejects with `store-failed`. */
  durable(): Promise<void>;
  /** Attempts without an end state, oldest first. */
  open(): readonly OpenAttempt[];
}

export interface FoundRelease {
  readonly row: ReleaseRow;
  readonly events: readonly ReleaseEvent[];
  /** Its history record, while the service has not taken it. */
  readonly history?: {
    /** ISO 8601, UTC: not posted before. */
    readonly dueAt: string;
    /** Why the service will never take it as it is. */
    readonly rejected?: string;
  };
  /** Where the time went; absent of a release that a restart found open. */
  readonly trace?: Trace;
}

export interface UnsettledRelease extends ReleaseRow {
  /** `undefined`: the service was to print it. */
  readonly printerUri: string | undefined;
  /** Of all copies; absent where the document does not tell. */
  readonly documentPages?: number;
  /** Its record waits here still: a word decides whether it is posted. */
  readonly hasRecord: boolean;
}

/** Which releases a list shows; all that is absent shows any. */
export interface ReleaseFilter {
  readonly terminal?: string | undefined;
  readonly outcome?: Outcome | undefined;
  /** Wanted at that moment or later; ISO 8601, UTC. */
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
  /** The newest first. */
  list(limit: number, filter?: ReleaseFilter): readonly ReleaseRow[];
  /** Of those that began since then, the ones that have ended: of one terminal, or all. */
  ended(since: string, terminal?: string): readonly EndedRelease[];
  /** Since then so many ended as `unknown`; ISO 8601, UTC. */
  unknownSince(since: string): number;
  /** Those that ended as `unknown`, that no person has settled, and whose document was not released since. The newest first. */
  unsettled(limit: number): readonly UnsettledRelease[];
  /** So many of this printer ended with this problem, and somebody found the pages. */
  foundInTray(printerUri: string, problem: ProblemCode): number;
  /** The release whose id begins so, with all there is of it; `undefined` when there is none or more than one. */
  find(idPrefix: string): FoundRelease | undefined;
  /** More than one release has an id that begins so. */
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
  /** How often it was posted in vain. */
  readonly failures: number;
  /** Of a dead letter. */
  readonly reason?: string;
  readonly record: HistoryRecord;
}

export interface OutboxCounts {
  readonly waiting: number;
  readonly held: number;
  readonly deadLetters: number;
}
