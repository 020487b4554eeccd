/**
 * Where the folders of rank 2 meet: what the machines need of the world, said in the trade's words. `agent.ts`
 * introduces an adapter to each. Every port has one contract suite in `test/contracts` that runs against the fake
 * and against the real thing. Whatever waits takes a signal; whatever fails rejects with a `Problem`.
 */
import type { Readable } from 'node:stream';
import type { Duration } from '../core/duration.ts';
import type { Secret } from '../core/secret.ts';
import type { Service } from '../core/service.ts';
import type { CardNumber } from './card.ts';
import type { DeviceFacts, DeviceIdentity, Registration, RegistrationKind, TokenGrant } from './device.ts';
import type { Document } from './document.ts';
import type { HistoryRecord } from './history.ts';
import type { OutputPort } from './output-port.ts';
import type { Problem } from './problem.ts';
import type {
  Confirmation,
  EndState,
  JobReport,
  LastRelease,
  OpenState,
  Outcome,
  Ticket,
} from './release.ts';
import type { TerminalInfo } from './terminal-info.ts';
import type { Login, UserToken } from './user.ts';

export interface CallOptions {
  readonly signal: AbortSignal;
}

// ---------------------------------------------------------------- enrollment

/** The OAuth side of the service. A definite verdict rejects with `OAuthRefusal`, a transport fault with `Problem`. */
export interface DeviceAuthorization {
  /** `first` is unsigned, `repeated` carries the signature; both carry the public key. */
  register(device: DeviceIdentity, kind: RegistrationKind, options: CallOptions): Promise<Registration>;
  requestToken(device: DeviceIdentity, deviceCode: Secret, options: CallOptions): Promise<TokenGrant>;
  /** Sends the refresh token exactly once; whether to try again is the enrollment machine's decision (B.2). */
  refresh(device: DeviceIdentity, refreshToken: Secret, options: CallOptions): Promise<TokenGrant>;
}

/**
 * The device's durable facts. Every write is on disk (fsync, rename, fsync of the directory) when it returns.
 * A full or read-only disk throws `store-refused` and has changed nothing; an I/O error throws `store-failed` (D12).
 */
export interface DeviceStore {
  facts(): DeviceFacts;
  /** Before the first registration is sent: it may arrive although its answer is never stored. */
  markRegistering(): void;
  /** Also remembers for good that this identity was registered. */
  saveRegistration(registration: Registration): void;
  /** The device code is dead: it expired, or the service said so. */
  forgetRegistration(): void;
  /** Before a refresh is sent: B.2 step 3. Reserves the room that `saveTokens` will need. */
  markRefreshing(generation: number): void;
  /** Stores generation + 1 of what is stored now, and forgets the registration that led to it. */
  saveTokens(grant: TokenGrant): void;
  forgetTokens(): void;
}

/** The device token for whoever calls the service with it. */
export interface DeviceTokenSource {
  /** Waits while a refresh is under way; rejects `terminal-not-authorized` when there is none to wait for. */
  current(options: CallOptions): Promise<Secret>;
  /** The service answered 401 to this token; starts one shared refresh unless it was replaced already. */
  refused(token: Secret): void;
}

// ---------------------------------------------------------------- the service

export interface Logins {
  /** `POST /login` with authtype 1 and the device token. Rejects `login-refused` on 401. */
  byCard(card: CardNumber, options: CallOptions): Promise<Login>;
}

/** A download under way. Reading `bytes` to its end without an error means that it is whole. */
export interface Download {
  /** From Content-Length, where the service sent one. */
  readonly length: number | undefined;
  readonly bytes: Readable;
}

export interface Documents {
  /** READY documents of the token's user, at most 500; unusable entries are left out and logged. */
  ready(token: UserToken, options: CallOptions): Promise<readonly Document[]>;
  /** `GET …content?retain=true`: the document stays in the cloud (D6). */
  download(uuid: string, token: UserToken, options: CallOptions): Promise<Download>;
  /** Resolves also when the document is gone already. */
  remove(uuid: string, token: UserToken, options: CallOptions): Promise<void>;
}

export interface Balance {
  /** Resolves when the document may be printed; rejects `balance-insufficient` or `balance-unknown`. */
  check(ticket: Ticket, options: CallOptions): Promise<void>;
}

export interface HistoryPoster {
  post(record: HistoryRecord, options: CallOptions): Promise<void>;
}

export interface OutputPorts {
  /** With the device token, or with the given user's where the device token is refused. */
  list(options: CallOptions & { readonly token?: UserToken }): Promise<readonly OutputPort[]>;
}

export interface TerminalReports {
  /** `target` fills the placeholders of `status.report.path`. */
  report(
    info: TerminalInfo,
    target: { outputPortId: number | undefined; serialNumber: string; terminalId: string },
    options: CallOptions,
  ): Promise<void>;
}

// ---------------------------------------------------------------- printing

/** A document at rest between cloud and printer: unlinked and encrypted (D7). Disposing forgets its key. */
export interface SpooledDocument extends Disposable {
  readonly length: number;
  /** SHA-256 of the plain bytes, hex. */
  readonly digest: string;
  /** The media type by its first bytes: `application/pdf`, …, else `application/octet-stream`. */
  readonly format: string;
  /** The plain bytes, checked against the digest while they are read. May be called again. */
  read(): Readable;
}

export interface Spool {
  /** Rejects `document-cut`, `document-too-large`, `spool-full`, or the download's own problem. */
  store(download: Download, options: CallOptions): Promise<SpooledDocument>;
}

/** A job the printer has taken on and knows by id. */
export interface PrinterJob {
  readonly jobId: number;
  readonly jobUri: string;
  /** The name it was given: a job of another name under this id is not ours, and is never cancelled (B.4, 7). */
  readonly jobName: string;
}

/** What one job asks of the printer, chosen from what it supports. Opaque to the machines. */
export interface JobPlan {
  readonly jobName: string;
  readonly format: string;
}

export interface PrinterDescription {
  readonly ready: boolean;
  /** printer-state of RFC 8011 section 5.4.11. */
  readonly state: 'idle' | 'processing' | 'stopped';
  readonly stateReasons: readonly string[];
  readonly acceptingJobs: boolean;
  readonly formats: readonly string[];
  readonly mediaReady: readonly string[];
  readonly makeAndModel: string;
  readonly firmware: string;
}

/**
 * One printer, in the steps a release must record between (architecture, section 2, step 6). No method repeats a
 * request whose effect is in doubt.
 */
export interface Printer {
  readonly uri: string;
  /** Get-Printer-Attributes. */
  describe(options: CallOptions): Promise<PrinterDescription>;
  /**
   * Everything that can be settled before the intent: waits up to 30 s for a busy printer, then rejects with
   * `printer-busy`, `printer-not-ready`, `printer-unreachable`, `document-not-printable`, `printer-refused-job`.
   */
  prepare(ticket: Ticket, document: SpooledDocument, options: CallOptions): Promise<JobPlan>;
  /**
   * Create-Job. A definite refusal rejects with delivery `answered` or `not-sent`: there is no job. Delivery
   * `perhaps`: there may be an empty one, see `sweep`.
   */
  createJob(plan: JobPlan, options: CallOptions): Promise<PrinterJob>;
  /** Cancels what a Create-Job without an answer may have left, found by its job-name. Resolves when none is left. */
  sweep(jobName: string, options: CallOptions): Promise<void>;
  /** Send-Document. Rejects `transfer-broken` or `printer-stalled` when not every byte was taken. */
  send(
    job: PrinterJob,
    plan: JobPlan,
    document: SpooledDocument,
    options: CallOptions & { readonly onFirstByte?: () => void },
  ): Promise<void>;
  /** Polls to the end state. Rejects `printer-stalled` when nothing moves, `printer-unreachable` after 10 minutes. */
  follow(job: PrinterJob, options: CallOptions): Promise<JobReport>;
  /** Cancel-Job, then the end state; `undefined` when the printer cannot say. Never rejects but by the signal. */
  cancel(job: PrinterJob, options: CallOptions): Promise<JobReport | undefined>;
}

// ---------------------------------------------------------------- readers

export interface CardRead {
  readonly reader: string;
  readonly card: CardNumber;
}

/** Runs for ever: opens the device, reads, reopens it when it goes. */
export interface CardReader extends Service {
  readonly name: string;
}

export interface CardReaderEvents {
  onCard(read: CardRead): void;
  onUp(): void;
  onDown(problem: Problem): void;
  /** A frame that cannot be a card number was thrown away. */
  onGarbage(): void;
}

// ---------------------------------------------------------------- ledger and outbox

/** An attempt as a restart finds it. */
export interface OpenAttempt {
  readonly releaseId: string;
  readonly terminal: string;
  readonly state: OpenState;
  readonly documentUuid: string;
  readonly jobName: string;
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
  /** Durable before the first byte (I1). */
  intend(releaseId: string, printerUri: string): void;
  jobCreated(releaseId: string, job: PrinterJob): void;
  sent(releaseId: string): void;
  /**
   * End state and, unless nothing came out, the history row: ONE transaction. An outcome of `unknown` is held for
   * `holdFor` before it may be posted.
   */
  end(
    releaseId: string,
    end: {
      state: EndState;
      confirmation?: Confirmation;
      problem?: string;
      report?: JobReport;
      deletionOwed: boolean;
      holdFor: Duration;
    },
  ): void;
  /** The document of a completed release is gone from the cloud. */
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
