/** The context that every part of the virtual printer shares. */
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import type { Attribute, Group } from '../../ipp/message.ts';
import type { Status } from '../../ipp/registry.ts';
import type { News } from '../news.ts';
import type { Mood } from './behaviour.ts';
import type { Habits } from './habits/habits.ts';
import type { Jobs } from './jobs.ts';
import type { Outputs } from './outputs.ts';

/** Actions of a person at the printer. */
export interface Panel {
  /** How often the printer was repaired. */
  repairs: number;
  isOutOfPaper: boolean;
  /** The printing job is to be canceled after this many pages. */
  cancelAfter: number | undefined;
}

/** The way in which job-impressions-completed and job-media-sheets-completed are reported (job-attributes.ts). */
export type JobCounters =
  | 'reported'
  | 'impressions'
  | 'sheets'
  | 'absent'
  | 'always-zero'
  | 'late'
  | 'sheets-twice';

export interface PrinterSettings {
  readonly name: string;
  /** For example `ipp://127.0.0.1:…/ipp/print`, or the address of the queue. */
  readonly uri: string;
  readonly uuid: string;
  readonly pageTime: Duration;
  /** Used for a document whose pages cannot be counted. */
  readonly pages: number;
  /** The treatment of a job while another is not done: it queues, or it gets `server-error-busy`. */
  readonly whenBusy: 'queue' | 'refuse';
  /** The treatment of a document whose transfer broke off. Many printers print the part that they have. */
  readonly afterCut: 'print' | 'discard';
  readonly counters: JobCounters;
  /** Added to the printer's attributes. They replace attributes of the same name. */
  readonly attributes: readonly Attribute[];
}

export interface PrinterContext {
  readonly settings: PrinterSettings;
  readonly jobs: Jobs;
  readonly outputs: Outputs;
  readonly mood: Mood;
  readonly habits: Habits;
  readonly panel: Panel;
  readonly news: News;
  readonly clock: Clock;
  /** Aborts when the printer is switched off. */
  readonly off: AbortSignal;
  /** Like a power cycle: connections break, and jobs are forgotten. */
  restart(): Promise<void>;
}

/** An answer of the virtual printer, before it is encoded. */
export interface Reply {
  readonly status: Status;
  /** If absent, the values of the request are used. */
  readonly version?: readonly [number, number];
  readonly requestId?: number;
  readonly groups?: readonly Group[];
}
