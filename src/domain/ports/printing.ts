/** The port Printer in the steps a release must record between, and the spool a document rests in. */
import type { Readable } from 'node:stream';
import type { JobReport, Ticket } from '../release.ts';
import type { CallOptions } from './call.ts';
import type { Download } from './service.ts';

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
