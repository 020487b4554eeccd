/** What every part of the virtual printer works with. */
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import type { Attribute } from '../../ipp/message.ts';
import type { Mood } from './behaviour.ts';
import type { Habits } from './habits/habits.ts';
import type { Jobs } from './jobs.ts';
import type { Outputs } from './outputs.ts';
import type { News } from '../news.ts';

/** What the person at the printer does to it. */
export interface Panel {
  /** How often what ailed it was seen to. */
  repairs: number;
  isOutOfPaper: boolean;
  /** The job that prints is to be canceled after so many pages. */
  cancelAfter: number | undefined;
}

/** What is told of job-impressions-completed and job-media-sheets-completed (job-attributes.ts). */
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
  /** `ipp://127.0.0.1:…/ipp/print`, or the queue's */
  readonly uri: string;
  readonly uuid: string;
  readonly pageTime: Duration;
  /** Pages of a document whose pages cannot be counted. */
  readonly pages: number;
  /** What a second job meets while one is not done: a queue, or `server-error-busy`. */
  readonly whenBusy: 'queue' | 'refuse';
  /** What becomes of a document whose transfer broke off: many printers print the part they have. */
  readonly afterCut: 'print' | 'discard';
  readonly counters: JobCounters;
  /** Added to the printer's attributes, or in place of those of the same name. */
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
  /** As a power cycle does: connections break, jobs are forgotten. */
  restart(): Promise<void>;
}
