/** The write-ahead ledger of releases, its read-only register, and the outbox that hangs on it. */
import type { Duration } from '../../core/duration.ts';
import type { HistoryRecord } from '../history.ts';
import type {
  Confirmation,
  EndState,
  JobReport,
  LastRelease,
  OpenState,
  Outcome,
  Ticket,
} from '../release.ts';
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
  readonly job: PrinterJob | undefined;
}

export interface ReleaseRow {
  readonly releaseId: string;
  readonly terminal: string;
  readonly documentUuid: string;
  readonly state: OpenState | EndState;
  readonly outcome: Outcome | undefined;
  readonly confirmation: Confirmation | undefined;
  readonly problem: string | undefined;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly endedAt: string | undefined;
  readonly deletionOwed: boolean;
}

export interface ReleaseEvent {
  readonly state: string;
  readonly at: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/**
 * The write-ahead attempt ledger (D1). Each call is one durable transaction when it returns. Throws `store-refused`
 * (full, read-only: nothing written) or `store-failed` (D12: the agent must end).
 */
export interface Ledger {
  /** Keeps the history record to be posted if something comes out; refuses when the outbox is full (D8). */
  plan(attempt: { ticket: Ticket; jobName: string; history: HistoryRecord }): void;
  fetched(releaseId: string, document: { length: number; digest: string }): void;
  /** Durable before the service is asked to deliver (I1). */
  intendByService(releaseId: string, serialNumber: string): void;
  /** The service definitely would not: nothing came out, and the release may go on here. */
  refusedByService(releaseId: string): void;
  /** Durable before the first byte (I1). */
  intend(releaseId: string, printerUri: string): void;
  jobCreated(releaseId: string, job: PrinterJob): void;
  sent(releaseId: string): void;
  /**
   * End state and, unless nothing came out, the history row: ONE transaction. An outcome of `unknown` is held for
   * `holdFor` before it may be posted. `history: 'service'`: no row, because the service records what it delivers
   * itself, and ours would be counted besides (api-supplement.md 12, row 17).
   */
  end(
    releaseId: string,
    end: {
      state: EndState;
      confirmation?: Confirmation;
      problem?: string;
      report?: JobReport;
      history?: 'service';
      deletionOwed: boolean;
      holdFor: Duration;
    },
  ): void;
  /** The document of a completed release is gone from the cloud, or counted there as released. */
  deleted(releaseId: string): void;
  lastRelease(documentUuid: string): LastRelease | undefined;
  /** Attempts without an end state, oldest first. */
  open(): readonly OpenAttempt[];
}

/** Read-only, also for `platen releases` beside a running agent. */
export interface ReleaseRegister {
  list(limit: number): readonly ReleaseRow[];
  /** The release whose id begins so, with its events; `undefined` when there is none or more than one. */
  find(idPrefix: string): { row: ReleaseRow; events: readonly ReleaseEvent[] } | undefined;
}

export interface OutboxCounts {
  readonly waiting: number;
  readonly held: number;
  readonly deadLetters: number;
}
