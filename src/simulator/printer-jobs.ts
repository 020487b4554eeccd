/** The jobs of a virtual printer and their attributes (RFC 8011 section 5.3). They print in `printer-engine.ts`. */
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import type { Attribute } from '../ipp/message.ts';
import { attribute } from '../ipp/message.ts';
import { jobStates } from '../ipp/states.ts';
import * as ipp from '../ipp/values.ts';

type JobState = keyof typeof jobStates;

/** job-impressions-completed and job-media-sheets-completed: both, one, none, or both with nothing in them. */
export type JobCounters = 'reported' | 'impressions' | 'sheets' | 'absent' | 'always-zero';

/** What arrived of a document, on disk. */
export interface ReceivedDocument {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly pages: number;
  /** false: the transfer broke off. */
  readonly whole: boolean;
}

export interface Job {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly userName: string;
  /** The Job Template attributes that were accepted. */
  readonly template: readonly Attribute[];
  /** printer-up-time, seconds. */
  readonly createdAt: number;
  processingAt?: number;
  completedAt?: number;
  state: JobState;
  reasons: readonly string[];
  transfer: 'awaited' | 'under-way' | 'over';
  document?: ReceivedDocument;
  impressionsCompleted: number;
  /** Aborts when the job is canceled or the printer goes. */
  readonly stop: AbortController;
}

export const hasEnded = ({ state }: Job): boolean =>
  state === 'canceled' || state === 'aborted' || state === 'completed';

export interface Jobs {
  /** All since the start, ended ones included, oldest first. */
  readonly list: readonly Job[];
  create(job: Pick<Job, 'name' | 'userName' | 'template'>): Job;
  find(id: number | undefined): Job | undefined;
  end(job: Job, state: 'canceled' | 'aborted' | 'completed', reason: string): void;
  /** Seconds since the start. */
  upTime(): number;
  /** As after a reboot: no jobs, ids from 1 again. */
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
        reasons: ['job-incoming'],
        transfer: 'awaited',
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

const isTwoSided = ({ template }: Job): boolean =>
  template.some(
    ({ name, values: [value] }) =>
      name === 'sides' && value !== undefined && 'text' in value && value.text !== 'one-sided',
  );

const sheetsCompleted = (job: Job): number =>
  isTwoSided(job) ? Math.ceil(job.impressionsCompleted / 2) : job.impressionsCompleted;

const messages: Record<JobState, string> = {
  pending: 'The job waits.',
  'pending-held': 'The job is held.',
  processing: 'The job prints.',
  'processing-stopped': 'The printer needs attention.',
  canceled: 'The job was canceled.',
  aborted: 'The printer gave the job up.',
  completed: 'The job is printed.',
};

const moment = (seconds: number | undefined) => (seconds === undefined ? ipp.noValue : ipp.integer(seconds));

/** Job Description and Job Status attributes, then the Job Template ones. */
export function jobAttributes(
  job: Job,
  printer: { uri: string; upTime: number; counters: JobCounters },
): readonly Attribute[] {
  const { document } = job;
  return [
    attribute('job-uri', ipp.uri(`${printer.uri}/${job.id}`)),
    attribute('job-id', ipp.integer(job.id)),
    attribute('job-printer-uri', ipp.uri(printer.uri)),
    attribute('job-uuid', ipp.uri(job.uuid)),
    attribute('job-name', ipp.nameWithoutLanguage(job.name)),
    attribute('job-originating-user-name', ipp.nameWithoutLanguage(job.userName)),
    attribute('job-state', ipp.enumValue(jobStates[job.state])),
    attribute('job-state-reasons', ...job.reasons.map(ipp.keyword)),
    attribute('job-state-message', ipp.textWithoutLanguage(messages[job.state])),
    attribute('job-printer-state-message', ipp.textWithoutLanguage(messages[job.state])),
    attribute('number-of-documents', ipp.integer(document === undefined ? 0 : 1)),
    attribute('time-at-creation', ipp.integer(job.createdAt)),
    attribute('time-at-processing', moment(job.processingAt)),
    attribute('time-at-completed', moment(job.completedAt)),
    attribute('job-printer-up-time', ipp.integer(printer.upTime)),
    ...(document === undefined
      ? []
      : [attribute('job-k-octets', ipp.integer(Math.ceil(document.bytes / 1024)))]),
    ...countersOf(job, printer.counters),
    ...job.template,
  ];
}

/** The names of those that are told. */
const toldCounters: Record<JobCounters, RegExp> = {
  reported: /./,
  'always-zero': /./,
  impressions: /impressions/,
  sheets: /sheets/,
  absent: /^$/,
};

function countersOf(job: Job, counters: JobCounters): readonly Attribute[] {
  const isEmpty = counters === 'always-zero';
  const impressions = isEmpty ? 0 : job.impressionsCompleted;
  const sheets = isEmpty ? 0 : sheetsCompleted(job);
  return [
    attribute('job-impressions-completed', ipp.integer(impressions)),
    attribute('job-media-sheets-completed', ipp.integer(sheets)),
  ].filter(({ name }) => toldCounters[counters].test(name));
}
