/**
 * The jobs of a virtual printer (RFC 8011 section 5.3). `engine.ts` prints them, and `job-attributes.ts` reports them.
 */
import type { Chance } from '../../core/chance.ts';
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import type { Attribute } from '../../ipp/message.ts';
import type { jobStates } from '../../ipp/registry.ts';

export type JobState = keyof typeof jobStates;

/** The received part of a document, on disk. */
export interface ReceivedDocument {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly pages: number;
  /** False if the transfer broke off. */
  readonly whole: boolean;
}

export interface Job {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly userName: string;
  /** The Job Template attributes that were accepted. */
  readonly template: readonly Attribute[];
  /** Set for a stranger's job: the time it takes to print. It did not come over IPP. */
  readonly takes?: Duration;
  /** In seconds of printer-up-time. */
  readonly createdAt: number;
  processingAt?: number;
  completedAt?: number;
  state: JobState;
  reasons: readonly string[];
  transfer: 'awaited' | 'under-way' | 'over';
  document?: ReceivedDocument;
  /** The client has not closed the job yet. Nothing is printed before. */
  isOpen: boolean;
  impressionsCompleted: number;
  /** A person has released the job at the panel. */
  isReleased?: boolean;
  /** All pages are in the tray, but by habit the job does not end. */
  isOut?: boolean;
  /** Aborts when the job is canceled or the printer stops. */
  readonly stop: AbortController;
}

export const hasEnded = ({ state }: Job): boolean =>
  state === 'canceled' || state === 'aborted' || state === 'completed';

export interface Jobs {
  /** All jobs since the start, also ended ones, the oldest first. */
  readonly list: readonly Job[];
  create(job: Pick<Job, 'name' | 'userName' | 'template' | 'takes'>): Job;
  find(id: number | undefined): Job | undefined;
  end(job: Job, state: 'canceled' | 'aborted' | 'completed', reason: string): void;
  /** Seconds since the start. */
  upTime(): number;
  /** As after a reboot: no jobs, and ids from 1 again. */
  forget(): void;
}

export function createJobs({ clock, chance }: { clock: Clock; chance: Chance }): Jobs {
  let jobs: Job[] = [];
  let startedAt = clock.monotonic();
  const upTime = () => 1 + Math.floor((clock.monotonic() - startedAt) / 1000);
  return {
    get list() {
      return jobs;
    },
    create(wanted) {
      const job: Job = {
        ...wanted,
        id: (jobs.at(-1)?.id ?? 0) + 1,
        uuid: `urn:uuid:${chance.uuid()}`,
        createdAt: upTime(),
        state: 'pending',
        reasons: wanted.takes === undefined ? ['job-incoming'] : ['none'],
        transfer: wanted.takes === undefined ? 'awaited' : 'over',
        isOpen: wanted.takes === undefined,
        impressionsCompleted: 0,
        stop: new AbortController(),
      };
      jobs.push(job);
      return job;
    },
    find: (id) => jobs.find((job) => job.id === id),
    end(job, state, reason) {
      if (hasEnded(job)) return;
      job.state = state;
      job.reasons = [reason];
      job.completedAt = upTime();
      job.stop.abort();
    },
    upTime,
    forget() {
      for (const job of jobs) job.stop.abort();
      jobs = [];
      startedAt = clock.monotonic();
    },
  };
}
