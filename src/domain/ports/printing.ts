/** The port Printer in the steps a release must record between, and the spool a document rests in. */
import type { Readable } from 'node:stream';
import type { Sides } from '../document.ts';
import type { Problem } from '../problem.ts';
import type { Confirmation, JobReport, Ticket } from '../release.ts';
import type { CallOptions, LongCallOptions } from './call.ts';
import type { PrinterCertificate } from './printer-memory.ts';
import type { Download } from './service.ts';

/**
 * A document between cloud and printer: unlinked and encrypted (D7), at rest or still coming in. Disposing forgets its
 * key, and stops what is still coming.
 */
export interface SpooledDocument extends Disposable {
  /** Octets of the whole document. */
  readonly length: number;
  /** SHA-256 of the plain bytes, hex; `undefined` while bytes are coming. */
  digest(): string | undefined;
  /** The media type by its first bytes: `application/pdf`, …, else `application/octet-stream`. */
  readonly format: string;
  /** Resolves when all of it is here and checked; rejects with the problem that ended its download. */
  whole(options: CallOptions): Promise<void>;
  /**
   * The plain bytes, checked against the digest while they are read. May be called again. Follows what is coming in;
   * the last bytes are given out only when all is here and right.
   */
  read(): Readable;
}

/** Where a document comes from, over as many downloads as it takes. */
export interface DocumentSource {
  begin(options: CallOptions): Promise<Download>;
  /** What goes on after so many octets, when a download broke off. Rejects when nothing does. */
  resume(broken: { received: number; problem: Problem }, options: CallOptions): Promise<Download>;
}

export interface Spool {
  /** Rejects `document-cut`, `document-too-large`, `spool-full`, or the download's own problem. */
  store(download: Download, options: LongCallOptions): Promise<SpooledDocument>;
  /**
   * Resolves as soon as 8 MiB of a document that was announced as longer have come; the rest follows, and goes on when
   * its download breaks off. A shorter one as `store`, and rejects likewise.
   */
  receive(source: DocumentSource, options: LongCallOptions): Promise<SpooledDocument>;
}

/** A job the printer has taken on and knows by id. */
export interface PrinterJob {
  readonly jobId: number;
  readonly jobUri: string;
  /** The name it was given: a job of another name under this id is not ours, and is never cancelled (B.4, 7). */
  readonly jobName: string;
}

/** What a document must go through before its printer takes it. Where nothing forces it, there is none (D10). */
export interface Conversion {
  /** Media type of what comes out. */
  readonly format: string;
  readonly color: 'as-is' | 'grey';
  /** `reversed`: the last sheet first, for a finisher that turns the stack over. */
  readonly order: 'as-is' | 'reversed';
  /** Made in software; 1: the document once. */
  readonly copies: number;
  readonly collated: boolean;
  readonly sides: Sides | undefined;
  /** The back of each sheet is turned by 180 degrees, as the printer wants its raster. */
  readonly turnsBacks: boolean;
  /** Dots per inch. */
  readonly resolution: number;
  /** PWG 5101.1; every page that is rendered is made to fit it. */
  readonly media: string | undefined;
  /** Pages of the document by its record, which the balance was checked for. */
  readonly recordedPages: number | undefined;
}

export interface Converter {
  /**
   * A new document in the spool. Rejects `converter-missing`, `document-not-convertible`, `document-not-as-recorded`,
   * `document-beyond-limits`, or what the spool says.
   */
  convert(document: SpooledDocument, conversion: Conversion, options: CallOptions): Promise<SpooledDocument>;
  /** How far converters are shut in on this machine. Rejects `converter-missing`. */
  examine(options: CallOptions): Promise<'unit' | 'namespaces' | 'limits'>;
}

/** What one job asks of the printer, chosen from what it supports. Opaque to the machines. */
export interface JobPlan {
  readonly jobName: string;
  /** Of the bytes that are sent. */
  readonly format: string;
  readonly conversion?: Conversion;
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

/** What a printer can do by itself, and what it tells of its jobs; `check` shows it, with what follows for a release. */
export interface PrinterCapabilities {
  readonly color: 'color' | 'monochrome' | 'unknown';
  /** sides-supported of RFC 8011; empty where the printer does not tell. */
  readonly sides: readonly string[];
  /** The most copies it makes of one document. */
  readonly copies: number;
  /** What it is sure to do of that when a job asks for it. */
  readonly heeds: { readonly grey: boolean; readonly twoSided: boolean };
  /** compression-supported, without `none`. */
  readonly compression: readonly string[];
  /** What it counts of a job's pages. No printer lists that: `unknown` until a job of it was followed. */
  readonly counts: 'impressions' | 'sheets' | 'nothing' | 'unknown';
  /** Whether it answers PJL over the connection that it prints from; absent where nobody knows, or none is spoken. */
  readonly backChannel?: 'answers' | 'silent';
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
  /** Of a printer spoken to over TLS. */
  readonly certificate?: PrinterCertificate;
  /** Absent where the printer tells nothing of it. */
  readonly capabilities?: PrinterCapabilities;
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

/** Of a call while which pages come out. */
export interface PrintingOptions extends LongCallOptions {
  /**
   * So many impressions are out, of all copies together: the printer's own word, believed by nobody yet. Told whenever
   * the printer is heard to say a number.
   */
  readonly onPages?: ((impressions: number) => void) | undefined;
}

export type SendOptions = PrintingOptions & { readonly onFirstByte?: () => void };

export interface FollowOptions extends PrintingOptions {
  /** The job stands (`processing-stopped`) until somebody mends the printer; told at each look that finds it so. */
  readonly onStanding?: (() => void) | undefined;
}

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
  follow(job: PrinterJob, options: FollowOptions): Promise<JobReport>;
  /** Cancel-Job, then the end state; `undefined` when the printer cannot say. Never rejects but by the signal. */
  cancel(job: PrinterJob, options: CallOptions): Promise<JobReport | undefined>;
}

/** Takes bytes, and has no job to ask about nor to cancel: raw TCP, or a spooler that is handed a file. */
export interface BytePrinter extends AnyPrinter {
  readonly kind: 'bytes';
  /**
   * Resolves when every byte was taken and the printer closed in order, with what it said of the job where it said
   * anything; `undefined`: handed over. Rejects with delivery `not-sent` when not one byte went out, else
   * `transfer-broken`, `printer-stalled` or `outcome-unknown`.
   */
  send(plan: JobPlan, document: SpooledDocument, options: SendOptions): Promise<JobReport | undefined>;
}
