/** The description that a printer, or its spooler, gives of itself: the answer of `describe` of the port Printer. */
import type { PaperTrays } from '../printer/paper-trays.ts';
import type { Supply } from '../printer/supplies.ts';
import type { WorkAbilities } from '../printer/paper-work.ts';
import type { Problem } from '../problem/problem.ts';
import type { PrinterCertificate } from './printer-memory.ts';

/** A spooler's facts about one of its queues (INVARIANTS.md D15). */
export interface QueueDescription {
  readonly name: string;
  /** The spooler's treatment of a failed job. Any value except `abort-job` makes it print the job again by itself. */
  readonly errorPolicy: string;
  /** A class hands its jobs to other queues, each with a policy of its own. */
  readonly isClass: boolean;
  /** The address of its printer, without credentials; empty if it does not tell. */
  readonly device: string;
  /** Set if the configured address is that of a printer: the address of the queue, which should be used. */
  readonly writtenAs?: string;
}

/**
 * The abilities of a printer, and the facts that it tells of its jobs. `check` shows them, with the consequences for a
 * release.
 */
export interface PrinterCapabilities {
  readonly color: 'color' | 'monochrome' | 'unknown';
  /** sides-supported of RFC 8011; empty if the printer does not tell. */
  readonly sides: readonly string[];
  /** The most copies it makes of one document. */
  readonly copies: number;
  /** The wishes that it certainly carries out when a job asks for them. */
  readonly obeys: { readonly grey: boolean; readonly twoSided: boolean };
  /** The work on paper that a job can ask it for; absent if there is none. */
  readonly work?: WorkAbilities;
  /** compression-supported, without `none`. */
  readonly compression: readonly string[];
  /**
   * The unit in which it counts a job's pages. A printer cannot be asked for that, so it is `unknown` until a job was
   * followed.
   */
  readonly counts: 'impressions' | 'sheets' | 'nothing' | 'unknown';
  /**
   * Whether it answers PJL over the connection that it prints from; absent if that is not known, or if no PJL is
   * spoken.
   */
  readonly backChannel?: 'answers' | 'silent';
  /** It makes a job only together with a document (Print-Job), so a lost answer leaves the job unknown. */
  readonly inOneStep?: boolean;
}

/**
 * How a printer answers questions about a job: `answers`, the status with which it refuses, or `unknown` if it cannot
 * be asked at the moment. `list`: the same for its ended jobs, which are asked for if it does not tell of a single job.
 */
export interface JobQuestions {
  readonly job: string;
  readonly list: string;
}

export interface PrinterDescription {
  /** Documents would come out now: it is not stopped, and it is not unfit. */
  readonly ready: boolean;
  /** `ready` is only assumed: the printer was not contacted lately, and tells nothing before a document is sent. */
  readonly isAssumed?: boolean;
  /** Why no document at all can be printed there, as both are set up; absent if there is no reason. */
  readonly unfit?: Problem;
  /** printer-state of RFC 8011 section 5.4.11. */
  readonly state: 'idle' | 'processing' | 'stopped';
  readonly stateReasons: readonly string[];
  /** Reasons that may keep pages from coming out, although the printer says that it works; absent if there are none. */
  readonly remarks?: readonly string[];
  readonly acceptingJobs: boolean;
  readonly formats: readonly string[];
  readonly mediaReady: readonly string[];
  /** Absent if the printer cannot be asked about its trays. */
  readonly trays?: PaperTrays;
  /** Absent if it tells none. */
  readonly supplies?: readonly Supply[];
  readonly makeAndModel: string;
  readonly firmware: string;
  /** In the printer's own words. Absent if it does not tell it, and for a queue. */
  readonly serialNumber?: string | undefined;
  /** Only for a printer over TLS. */
  readonly certificate?: PrinterCertificate;
  /** Absent if the printer tells nothing about it. */
  readonly capabilities?: PrinterCapabilities;
  /** Absent if it was not asked. */
  readonly jobQuestions?: JobQuestions;
  /** Absent if a printer itself is asked, and answers. */
  readonly queue?: QueueDescription;
}
