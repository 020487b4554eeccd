/** The port Printer, in the steps that a release must record, and the spool for documents. */
import type { Sides } from '../document.ts';
import type { PageRange } from '../page-range.ts';
import type { Problem } from '../problem/problem.ts';
import type { Confirmation, ExpectedOutput, JobReport, Ticket } from '../release.ts';
import type { CallOptions, LongCallOptions } from './call.ts';
import type { PrinterDescription } from './printer-description.ts';
import type { Download } from './service.ts';

/**
 * The special demands of a document on a printer. `printer-commands`: PJL of its own, all of it harmless ·
 * `hidden-program`: PostScript that would outlast its job, or a part of another format that a printer might run as
 * such.
 */
export type DocumentDemand = 'printer-commands' | 'hidden-program';

/**
 * A document between cloud and printer: in memory, or unlinked and encrypted (D7), complete or still arriving.
 * Disposing forgets it, and stops its download.
 */
export interface SpooledDocument extends Disposable {
  /** Octets of the whole document. */
  readonly length: number;
  /** SHA-256 of the plain bytes, hex; `undefined` while bytes are arriving. */
  digest(): string | undefined;
  /** The media type by its first bytes: `application/pdf`, …, else `application/octet-stream`. */
  readonly format: string;
  /** Looks at the part that has arrived. */
  holds(what: DocumentDemand): boolean;
  /** Resolves when the whole document is here and checked; rejects with the problem that ended its download. */
  whole(options: CallOptions): Promise<void>;
  /**
   * The plain bytes. It follows a download under way, and gives out the last bytes only when the whole document is here
   * and correct. May be called again. If bytes were handed on before the document was complete, this works only while
   * at most 3 MiB have been read; then it ends with `document-cut`. Each block is lent: it is good until the next one is
   * asked for.
   */
  read(): AsyncIterable<Buffer>;
}

/** The source of a document, over as many downloads as necessary. */
export interface DocumentSource {
  begin(options: CallOptions): Promise<Download>;
  /** The rest after so many octets, when a download broke off. Rejects if it cannot go on. */
  resume(broken: { received: number; problem: Problem }, options: CallOptions): Promise<Download>;
}

export interface Spool {
  /**
   * Rejects `document-cut`, `document-damaged`, `document-not-printable`, `document-too-large`, `spool-full`, or the
   * download's own problem.
   */
  store(download: Download, options: LongCallOptions): Promise<SpooledDocument>;
  /**
   * Resolves as soon as 8 MiB of a longer document have arrived. The rest follows, also after a download that breaks
   * off. A shorter document is handled as by `store`. Rejects as `store` does.
   */
  receive(source: DocumentSource, options: LongCallOptions): Promise<SpooledDocument>;
  /** Another document of any length would fit in memory, without use of the disk. */
  hasRoom(): boolean;
}

/** A job the printer has taken on and knows by id. */
export interface PrinterJob {
  readonly jobId: number;
  readonly jobUri: string;
  /** The name that we gave it; the printer may show another one. */
  readonly jobName: string;
  readonly marks?: JobMarks | undefined;
}

/**
 * The marks that tell our job from another one with the same id (B.4, 7), because ids are used again after a restart.
 * If none of these marks shows that a job is ours, it is not judged, and never cancelled. Marks that the printer does
 * not tell are absent.
 */
export interface JobMarks {
  /** requesting-user-name: some printers tell a job's name to this user only (CUPS, JobPrivateValues). */
  readonly userName?: string | undefined;
  /** job-uuid. */
  readonly uuid?: string | undefined;
  /** job-name as in its first answer: cut, in capitals, masked. */
  readonly shownName?: string | undefined;
  /** time-at-creation, in seconds of the printer's own clock. */
  readonly createdAt?: number | undefined;
  /** The printer's uptime in seconds (printer-up-time) at that wall time, in milliseconds. */
  readonly upTime?: { readonly seconds: number; readonly at: number } | undefined;
}

/** The kinds of pixels that we make (PWG 5102.4 section 5, table 12). */
export type RasterType = 'srgb_8' | 'rgb_8' | 'cmyk_8' | 'sgray_8' | 'black_8' | 'sgray_1' | 'black_1';

/** PWG 5102.4 section 4.3: -1 is mirrored in that direction; both together mean a turn by 180 degrees. */
export interface SheetBacks {
  readonly crossFeed: 1 | -1;
  readonly feed: 1 | -1;
}

/** The conversion that a document needs before its printer takes it. If it is not necessary, there is none (D10). */
export interface Conversion {
  /** The media type of the result. */
  readonly format: string;
  readonly color: 'as-is' | 'grey';
  /** `reversed`: the last sheet first, for a finisher that turns the stack over. */
  readonly order: 'as-is' | 'reversed';
  /** Only the pages of the document may be left, even if nothing on them changes. */
  readonly isWrittenAnew?: boolean;
  /** Copies made in software; 1: the document once. */
  readonly copies: number;
  readonly collated: boolean;
  readonly sides: Sides | undefined;
  /** For raster: the kind of pixels, in the words of pwg-raster-document-type-supported. */
  readonly rasterType: RasterType | undefined;
  /** For raster: how the printer wants the backs of sheets; absent: unchanged. */
  readonly backs: SheetBacks | undefined;
  /** Dots per inch. */
  readonly resolution: number;
  /** PWG 5101.1. Every rendered page is scaled to fit it. */
  readonly media: string | undefined;
  /** The pages are rendered for that, also where the format stays. */
  readonly isFitted?: boolean;
  /** For raster whose pages keep their own size: none may be larger than all of these. The first is the fallback. */
  readonly within?: readonly string[];
  /** Only these pages, in the order of the document. */
  readonly picked?: readonly PageRange[];
  /** The document must have so many pages, because a printer counted the picked ones. */
  readonly exactPages?: number;
  /** Pages of the document by its record, for which the balance was checked. */
  readonly recordedPages: number | undefined;
}

export interface Converter {
  /**
   * A new document in the spool. Rejects `converter-missing`, `converter-unconfined`, `document-not-convertible`,
   * `document-not-as-recorded`, `document-beyond-limits`, or a problem of the spool.
   */
  convert(document: SpooledDocument, conversion: Conversion, options: CallOptions): Promise<SpooledDocument>;
  /** How well converters are confined on this machine. Rejects `converter-missing`, and `converter-unconfined`. */
  examine(options: CallOptions): Promise<'unit' | 'namespaces' | 'limits'>;
}

/** The facts for finding a job whose id we never learned. */
export interface LeftJob {
  readonly jobName: string;
  /** The user for whom it was made, if that is known. */
  readonly userName?: string | undefined;
}

/** The settings of one job, chosen from those that the printer supports. The machines do not look inside. */
export interface JobPlan {
  readonly jobName: string;
  /** The format of the bytes that are sent. */
  readonly format: string;
  readonly conversion?: Conversion;
  /** The printer makes a job only together with the document: Print-Job. */
  readonly inOneStep?: boolean;
}

/**
 * Why a printer keeps us waiting. Before it takes a job: `undefined`: it no longer does · `waking-up`: it was asked,
 * and has not answered yet · `busy`: it works on another job · `rejecting`: it takes no jobs for a while. After it took
 * a job: `held`: it has the whole document, and holds it until a person at its panel lets it print.
 */
export type PrinterWait = 'waking-up' | 'busy' | 'rejecting' | 'held' | undefined;

/** The options of a call that waits for the printer. */
export interface WaitingOptions extends CallOptions {
  /** Called when a wait begins, and when it is over. */
  readonly onWait?: ((wait: PrinterWait) => void) | undefined;
  /** The printer refuses or ignores these job attributes, so the paper will not be quite as asked for. */
  readonly onLeftOut?: ((attributes: readonly string[]) => void) | undefined;
}

export interface LookOptions extends WaitingOptions {
  /**
   * A person asks, so a raw printer is connected to, although it may make an empty job of that. Without a person's
   * wish, Platen opens no connection that carries no document.
   */
  readonly isAskedFor?: boolean;
  /** Also finds out whether it answers questions about jobs, by two more questions. */
  readonly alsoAboutJobs?: boolean;
}

/** One printer, in the steps that a release must record (architecture, section 2, step 6). */
export type Printer = JobPrinter | BytePrinter;

/** The common part of all printers. No method repeats a request whose effect is in doubt. */
interface AnyPrinter {
  readonly uri: string;
  /** Its own description. If it gives none, the result of its last document. */
  describe(options: LookOptions): Promise<PrinterDescription>;
  /**
   * A document is on its way here. A printer that is asked before each document is asked now, while the document comes
   * in. `prepare` uses the answer if it is recent enough: as recent as an answer that serves two documents of a batch.
   */
  lookAhead?(options: CallOptions): void;
  /**
   * Everything that can be settled before the intent, without a connection that a printer would take for a job. It
   * waits up to 30 s for a busy printer. Then it rejects with `printer-busy`, `printer-not-ready`,
   * `printer-unreachable`, `document-not-printable`, `printer-refused-job`.
   */
  prepare(ticket: Ticket, document: SpooledDocument, options: WaitingOptions): Promise<JobPlan>;
}

/** The options of a call during which pages come out. */
export interface PrintingOptions extends LongCallOptions {
  /**
   * So many impressions are out, of all copies together. It is the printer's own number, not checked yet. Called
   * whenever the printer gives a number.
   */
  readonly onPages?: ((impressions: number) => void) | undefined;
}

export interface FollowOptions extends PrintingOptions {
  /** The job stands until a person mends the printer. Called at each look that finds it so. */
  readonly onStanding?: (() => void) | undefined;
  /** The device holds the job, or no longer does. */
  readonly onWait?: WaitingOptions['onWait'];
  /** The full output: a large document may be silent for longer. */
  readonly expected?: ExpectedOutput | undefined;
}

export type SendOptions = FollowOptions & { readonly onFirstByte?: () => void };

/** A printer that takes a document as a job, which has an id and can be asked about and cancelled: IPP. */
export interface JobPrinter extends AnyPrinter {
  readonly kind: 'jobs';
  /** The source that says a job completed. */
  readonly confirms: Exclude<Confirmation, 'handed-over'>;
  /**
   * Create-Job. A definite refusal rejects with delivery `answered` or `not-sent`: there is no job. Delivery `perhaps`:
   * there may be an empty job, see `sweep`.
   */
  createJob(plan: JobPlan, options: WaitingOptions): Promise<PrinterJob>;
  /**
   * Cancels the job that a Create-Job without an answer may have left, found by its job-name. Resolves when none is
   * left.
   */
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
  /** The job that a Print-Job without an answer made, found by its job-name; `undefined` if none is listed. */
  find(left: LeftJob, options: CallOptions): Promise<PrinterJob | undefined>;
  /** The job with all marks that are known now. */
  marked(job: PrinterJob): PrinterJob;
  /**
   * Looks until the job has ended, or the printer lets go of it. Rejects `printer-stalled` when nothing moves for
   * `jobStallSeconds`, `printer-unreachable` after 10 minutes, `outcome-unknown` when the job cannot be told from others.
   */
  follow(job: PrinterJob, options: FollowOptions): Promise<JobReport>;
  /** Cancel-Job, then the end state; `undefined` if the printer cannot say. Rejects only if the signal aborts. */
  cancel(job: PrinterJob, options: CallOptions): Promise<JobReport | undefined>;
}

/**
 * A printer that takes bytes, and has no job to ask about or to cancel: raw TCP, or a spooler that is handed a file.
 */
export interface BytePrinter extends AnyPrinter {
  readonly kind: 'bytes';
  /**
   * Resolves when every byte was taken and the printer closed in order, with the printer's report of the job if it gave
   * one; `undefined`: handed over. Rejects with delivery `not-sent` if not one byte went out, else `transfer-broken`,
   * `ended-by-reset`, `printer-stalled` or `outcome-unknown`.
   */
  send(plan: JobPlan, document: SpooledDocument, options: SendOptions): Promise<JobReport | undefined>;
}
