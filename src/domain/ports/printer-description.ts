/**
 * What a printer, or a spooler before it, says of itself when it is asked: the answer of `describe` of the port
 * Printer.
 */
import type { Problem } from '../problem/problem.ts';
import type { PrinterCertificate } from './printer-memory.ts';

/** What a spooler tells of a queue of its own (INVARIANTS.md D15). */
export interface QueueDescription {
  readonly name: string;
  /** What the spooler does with a job that failed; anything but `abort-job` prints it again by itself. */
  readonly errorPolicy: string;
  /** A class hands its jobs to other queues, each with a policy of its own. */
  readonly isClass: boolean;
  /** Where it prints to, without credentials; empty when it does not tell. */
  readonly device: string;
  /** Set where the address is that of a printer: the address of a queue, which it ought to be. */
  readonly writtenAs?: string;
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
  /** Makes a job of a document and of nothing before it (Print-Job): a lost answer leaves it unknown. */
  readonly inOneStep?: boolean;
}

/**
 * What a printer says when it is asked about a job: `answers`, the status that it refuses with, or `unknown`: not to be
 * had at the moment. `list`: of its ended jobs, which are asked for where one job is not told of.
 */
export interface JobQuestions {
  readonly job: string;
  readonly list: string;
}

export interface PrinterDescription {
  /** Documents would come out now: nothing hinders it, and nothing makes it unfit. */
  readonly ready: boolean;
  /** `ready` is what it is taken to be: nobody has met it lately, and it tells nothing until something is sent. */
  readonly isAssumed?: boolean;
  /** Why no document at all can be printed there, as both are set up; absent: nothing speaks against it. */
  readonly unfit?: Problem;
  /** printer-state of RFC 8011 section 5.4.11. */
  readonly state: 'idle' | 'processing' | 'stopped';
  readonly stateReasons: readonly string[];
  /** Those reasons that may keep pages from coming out, although the printer says that it works; absent: none. */
  readonly remarks?: readonly string[];
  readonly acceptingJobs: boolean;
  readonly formats: readonly string[];
  readonly mediaReady: readonly string[];
  readonly makeAndModel: string;
  readonly firmware: string;
  /** As the printer itself tells it; absent where it does not, and of a queue. */
  readonly serialNumber?: string | undefined;
  /** Of a printer spoken to over TLS. */
  readonly certificate?: PrinterCertificate;
  /** Absent where the printer tells nothing of it. */
  readonly capabilities?: PrinterCapabilities;
  /** Absent where it was not asked. */
  readonly jobQuestions?: JobQuestions;
  /** Absent where a printer itself is asked, and answers. */
  readonly queue?: QueueDescription;
}
