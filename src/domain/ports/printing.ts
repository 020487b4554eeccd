/** The port Printer in the steps a release must record between, and the spool a document rests in. */
import type { Readable } from 'node:stream';
import type { Sides } from '../document.ts';
import type { PickedPages } from '../page-range.ts';
import type { Problem } from '../problem/problem.ts';
import type { Confirmation, ExpectedOutput, JobReport, Ticket } from '../release.ts';
import type { CallOptions, LongCallOptions } from './call.ts';
import type { PrinterDescription } from './printer-description.ts';
import type { Download } from './service.ts';

/**
 * What a document asks of a printer beyond its pages. `printer-commands`: PJL of its own, all of it harmless ·
 * `hidden-program`: PostScript that would outlast its job, or in a document of another format what a printer might run
 * so.
 */
export type DocumentDemand = 'printer-commands' | 'hidden-program';

/**
 * A document between cloud and printer: in memory, or unlinked and encrypted (D7), at rest or still coming in. Disposing
 * forgets it, and stops what is still coming.
 */
export interface SpooledDocument extends Disposable {
  /** Octets of the whole document. */
  readonly length: number;
  /** SHA-256 of the plain bytes, hex; `undefined` while bytes are coming. */
  digest(): string | undefined;
  /** The media type by its first bytes: `application/pdf`, …, else `application/octet-stream`. */
  readonly format: string;
  /** As far as it has come. */
  holds(what: DocumentDemand): boolean;
  /** Resolves when all of it is here and checked; rejects with the problem that ended its download. */
  whole(options: CallOptions): Promise<void>;
  /**
   * The plain bytes. Follows what is coming in; the last bytes are given out only when all is here and right. May be called
   * again; of what was handed on before it was whole only while at most 3 MiB have been read, then it ends with
   * `document-cut`.
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
  /**
   * Rejects `document-cut`, `document-damaged`, `document-not-printable`, `document-too-large`, `spool-full`, or the
   * download's own problem.
   */
  store(download: Download, options: LongCallOptions): Promise<SpooledDocument>;
  /**
   * Resolves as soon as 8 MiB of a document that was announced as longer have come; the rest follows, and goes on when
   * its download breaks off. A shorter one as `store`, and rejects likewise.
   */
  receive(source: DocumentSource, options: LongCallOptions): Promise<SpooledDocument>;
  /** A further document would wait in memory, whatever its length: none of it would go to the disk for want of room. */
  hasRoom(): boolean;
}

/** A job the printer has taken on and knows by id. */
export interface PrinterJob {
  readonly jobId: number;
  readonly jobUri: string;
  /** The name it was given; the printer may show another one. */
  readonly jobName: string;
  readonly marks?: JobMarks | undefined;
}

/**
 * What tells our job from another one under the same id (B.4, 7): ids are given again after a restart. A job that none of
 * these shows to be ours is not judged, and never cancelled. What the printer does not tell is absent.
 */
export interface JobMarks {
  /** requesting-user-name: some tell a job's name to this user only (CUPS, JobPrivateValues). */
  readonly userName?: string | undefined;
  /** job-uuid. */
  readonly uuid?: string | undefined;
  /** job-name as its first answer has it: cut, in capitals, masked. */
  readonly shownName?: string | undefined;
  /** time-at-creation, in seconds of the printer's own clock. */
  readonly createdAt?: number | undefined;
  /** The printer had been up for so many seconds (printer-up-time) at that wall time, in milliseconds. */
  readonly upTime?: { readonly seconds: number; readonly at: number } | undefined;
}

/** The kinds of pixels that are made (PWG 5102.4 section 5, table 12). */
export type RasterType = 'srgb_8' | 'rgb_8' | 'cmyk_8' | 'sgray_8' | 'black_8' | 'sgray_1' | 'black_1';

/** PWG 5102.4 section 4.3: -1 is mirrored in that direction, both together turned by 180 degrees. */
export interface SheetBacks {
  readonly crossFeed: 1 | -1;
  readonly feed: 1 | -1;
}

/** What a document must go through before its printer takes it. Where nothing forces it, there is none (D10). */
export interface Conversion {
  /** Media type of what comes out. */
  readonly format: string;
  readonly color: 'as-is' | 'grey';
  /** `reversed`: the last sheet first, for a finisher that turns the stack over. */
  readonly order: 'as-is' | 'reversed';
  /** Nothing but its pages may be left of the document, even where nothing is changed on them. */
  readonly isWrittenAnew?: boolean;
  /** Made in software; 1: the document once. */
  readonly copies: number;
  readonly collated: boolean;
  readonly sides: Sides | undefined;
  /** Of raster: what its pixels are, in the words of pwg-raster-document-type-supported. */
  readonly rasterType: RasterType | undefined;
  /** Of raster: how the printer wants the backs of sheets; absent: as they are. */
  readonly backs: SheetBacks | undefined;
  /** Dots per inch. */
  readonly resolution: number;
  /** PWG 5101.1; every page that is rendered is made to fit it. */
  readonly media: string | undefined;
  /** Of raster whose pages keep their own size: none may be larger than all of these; the first is fallen back on. */
  readonly within?: readonly string[];
  /** These pages alone, of a document that has just so many. */
  readonly picked?: PickedPages | undefined;
  /** Pages of the document by its record, which the balance was checked for. */
  readonly recordedPages: number | undefined;
}

export interface Converter {
  /**
   * A new document in the spool. Rejects `converter-missing`, `converter-unconfined`, `document-not-convertible`,
   * `document-not-as-recorded`, `document-beyond-limits`, or what the spool says.
   */
  convert(document: SpooledDocument, conversion: Conversion, options: CallOptions): Promise<SpooledDocument>;
  /** How far converters are shut in on this machine. Rejects `converter-missing`, and `converter-unconfined`. */
  examine(options: CallOptions): Promise<'unit' | 'namespaces' | 'limits'>;
}

/** What is left to find a job by whose id was never told. */
export interface LeftJob {
  readonly jobName: string;
  /** Under whom it was made, where that is known. */
  readonly userName?: string | undefined;
}

/** What one job asks of the printer, chosen from what it supports. Opaque to the machines. */
export interface JobPlan {
  readonly jobName: string;
  /** Of the bytes that are sent. */
  readonly format: string;
  readonly conversion?: Conversion;
  /** The printer makes a job of the document itself and of nothing before it: Print-Job. */
  readonly inOneStep?: boolean;
}

/**
 * What a printer keeps us waiting by. Before it takes a job; `undefined`: no longer. `waking-up`: it is asked, and has
 * not said its first word · `busy`: it works on something else · `rejecting`: it takes no jobs for a while. And after it
 * took one: `held`: it has the whole document, and holds it until somebody at its panel lets it print.
 */
export type PrinterWait = 'waking-up' | 'busy' | 'rejecting' | 'held' | undefined;

/** Of a call that waits for the printer. */
export interface WaitingOptions extends CallOptions {
  /** Told when it begins, and when it is over. */
  readonly onWait?: ((wait: PrinterWait) => void) | undefined;
  /** The printer refuses or ignores these job attributes: the paper will not be quite as it was asked for. */
  readonly onLeftOut?: ((attributes: readonly string[]) => void) | undefined;
}

export interface LookOptions extends WaitingOptions {
  /**
   * A person asks: a raw printer is connected to, though it may make an empty job of it. By ourselves no connection is
   * opened that carries no document.
   */
  readonly isAskedFor?: boolean;
  /** Whether it can be asked about jobs is found out too, by two more questions. */
  readonly alsoAboutJobs?: boolean;
}

/** One printer, in the steps a release must record between (architecture, section 2, step 6). */
export type Printer = JobPrinter | BytePrinter;

/** What is the same of all. No method repeats a request whose effect is in doubt. */
interface AnyPrinter {
  readonly uri: string;
  /** What it says of itself, or what its last document met where it says nothing. */
  describe(options: LookOptions): Promise<PrinterDescription>;
  /**
   * Everything that can be settled before the intent, without a connection that a printer would take for a job: waits
   * up to 30 s for a busy printer, then rejects with `printer-busy`, `printer-not-ready`, `printer-unreachable`,
   * `document-not-printable`, `printer-refused-job`.
   */
  prepare(ticket: Ticket, document: SpooledDocument, options: WaitingOptions): Promise<JobPlan>;
}

/** Of a call while which pages come out. */
export interface PrintingOptions extends LongCallOptions {
  /**
   * So many impressions are out, of all copies together: the printer's own word, believed by nobody yet. Told whenever
   * the printer is heard to say a number.
   */
  readonly onPages?: ((impressions: number) => void) | undefined;
}

export interface FollowOptions extends PrintingOptions {
  /** The job stands until somebody mends the printer; told at each look that finds it so. */
  readonly onStanding?: (() => void) | undefined;
  /** The device holds it, or does so no more. */
  readonly onWait?: WaitingOptions['onWait'];
  /** What would come out if all did: a large document may be silent for longer. */
  readonly expected?: ExpectedOutput | undefined;
}

export type SendOptions = FollowOptions & { readonly onFirstByte?: () => void };

/** Takes a document as a job, which has an id and can be asked about and cancelled: IPP. */
export interface JobPrinter extends AnyPrinter {
  readonly kind: 'jobs';
  /** By whose word a job completed. */
  readonly confirms: Exclude<Confirmation, 'handed-over'>;
  /**
   * Create-Job. A definite refusal rejects with delivery `answered` or `not-sent`: there is no job. Delivery
   * `perhaps`: there may be an empty one, see `sweep`.
   */
  createJob(plan: JobPlan, options: WaitingOptions): Promise<PrinterJob>;
  /** Cancels what a Create-Job without an answer may have left, found by its job-name. Resolves when none is left. */
  sweep(left: LeftJob, options: CallOptions): Promise<void>;
  /**
   * Send-Document. Rejects `transfer-broken` or `printer-stalled` when not every byte was taken; with delivery
   * `answered` when the printer definitely refused the document before it took anything of it.
   */
  send(job: PrinterJob, plan: JobPlan, document: SpooledDocument, options: SendOptions): Promise<void>;
  /**
   * Print-Job, of a plan in one step: rejects as `send`, and `outcome-unknown` when every byte was taken and no answer
   * came.
   */
  print(plan: JobPlan, document: SpooledDocument, options: SendOptions): Promise<PrinterJob>;
  /** The job that a Print-Job without an answer made, found by its job-name; `undefined`: none is listed. */
  find(left: LeftJob, options: CallOptions): Promise<PrinterJob | undefined>;
  /** With all that is known by now to tell it by. */
  marked(job: PrinterJob): PrinterJob;
  /**
   * Looks until the job has ended, or the printer lets go of it. Rejects `printer-stalled` when nothing moves for
   * `jobStallSeconds`, `printer-unreachable` after 10 minutes, `outcome-unknown` when the job cannot be told from others.
   */
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
   * `transfer-broken`, `ended-by-reset`, `printer-stalled` or `outcome-unknown`.
   */
  send(plan: JobPlan, document: SpooledDocument, options: SendOptions): Promise<JobReport | undefined>;
}
