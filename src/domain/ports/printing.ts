/** The port Printer in the steps a release must record between, and the spool a document rests in. */
import type { Readable } from 'node:stream';
import type { Confirmation, JobReport, Ticket } from '../release.ts';
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

/** What a spooler tells of a queue of its own (reliability.md D15). */
export interface QueueDescription {
  readonly name: string;
  /** What the spooler does with a job that failed; anything but `abort-job` prints it again by itself. */
  readonly errorPolicy: string;
  /** A class hands its jobs to other queues, each with a policy of its own. */
  readonly isClass: boolean;
  /** Where it prints to, without credentials; empty when it does not tell. */
  readonly device: string;
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
  /** Absent where the printer itself is asked. */
  readonly queue?: QueueDescription;
}

/** One printer, in the steps a release must record between (architecture, section 2, step 6). */
export type Printer = JobPrinter | BytePrinter;

/** What is the same of all. No method repeats a request whose effect is in doubt. */
interface AnyPrinter {
  readonly uri: string;
  /** What it says of itself, or that it can be reached where it says nothing. */
  describe(options: CallOptions): Promise<PrinterDescription>;
  /**
   * Everything that can be settled before the intent: waits up to 30 s for a busy printer, then rejects with
   * `printer-busy`, `printer-not-ready`, `printer-unreachable`, `document-not-printable`, `printer-refused-job`.
   */
  prepare(ticket: Ticket, document: SpooledDocument, options: CallOptions): Promise<JobPlan>;
}

export type SendOptions = CallOptions & { readonly onFirstByte?: () => void };

/** Takes a document as a job, which has an id and can be asked about and cancelled: IPP. */
export interface JobPrinter extends AnyPrinter {
  readonly kind: 'jobs';
  /** By whose word a job completed. */
  readonly confirms: Exclude<Confirmation, 'handed-over'>;
  /**
   * Create-Job. A definite refusal rejects with delivery `answered` or `not-sent`: there is no job. Delivery
   * `perhaps`: there may be an empty one, see `sweep`.
   */
  createJob(plan: JobPlan, options: CallOptions): Promise<PrinterJob>;
  /** Cancels what a Create-Job without an answer may have left, found by its job-name. Resolves when none is left. */
  sweep(jobName: string, options: CallOptions): Promise<void>;
  /** Send-Document. Rejects `transfer-broken` or `printer-stalled` when not every byte was taken. */
  send(job: PrinterJob, plan: JobPlan, document: SpooledDocument, options: SendOptions): Promise<void>;
  /** Polls to the end state. Rejects `printer-stalled` when nothing moves, `printer-unreachable` after 10 minutes. */
  follow(job: PrinterJob, options: CallOptions): Promise<JobReport>;
  /** Cancel-Job, then the end state; `undefined` when the printer cannot say. Never rejects but by the signal. */
  cancel(job: PrinterJob, options: CallOptions): Promise<JobReport | undefined>;
}

/** Takes bytes over a connection and says nothing of them: raw TCP. There is no job to ask about, nor to cancel. */
export interface BytePrinter extends AnyPrinter {
  readonly kind: 'bytes';
  /**
   * Resolves when every byte was taken and the printer closed in order. Rejects with delivery `not-sent` when not one
   * byte went out, else `transfer-broken` or `printer-stalled`, and the connection is broken off.
   */
  send(plan: JobPlan, document: SpooledDocument, options: SendOptions): Promise<void>;
}
