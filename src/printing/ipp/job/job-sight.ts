/** One look at a job: its attributes (RFC 8011 section 5.3) as a report, and its marks. */
import { Problem } from '../../../domain/problem/problem.ts';
import type { JobReport, JobState } from '../../../domain/release.ts';
import type { Attribute, Message } from '../../../ipp/message.ts';
import { integer, keywords, string, subject, valuesOf } from '../../../ipp/message.ts';
import { jobStateName } from '../../../ipp/registry.ts';
import { agreed } from '../wire/refusal.ts';
import type { ShownMarks } from './job-marks.ts';

export interface JobSight {
  readonly report: JobReport;
  readonly shown: ShownMarks;
  /** Changes whenever the job has moved. */
  readonly fingerprint: string;
  /** printer-up-time when the job was begun, if another value means that it is printed again. */
  readonly begunAt?: number;
  /** It was begun and waits to be begun again. */
  readonly waitsAgain?: boolean;
  /** The printer says that it still waits for the job's document; `undefined`: it does not say. */
  readonly awaitsDocument?: boolean | undefined;
  /** The printer says that it never began the job. */
  readonly isUnbegun?: boolean;
  /** The job has ended, and its document was kept. */
  readonly keepsDocument?: boolean;
}

/** How an answer about a job is read: a printer's answer is believed, a spooler's is read in `spooled-job.ts`. */
export interface JobReading {
  /** The attributes to ask for. */
  readonly attributes: readonly string[];
  /** Throws the refusal, and `printer-protocol` for a job without a state. */
  sight(answer: Message): JobSight;
}

const watchedAttributes: readonly string[] = [
  'job-id',
  'job-name',
  'job-uuid',
  'job-state',
  'job-state-reasons',
  'job-impressions',
  'job-impressions-completed',
  'job-media-sheets-completed',
  'job-k-octets-processed',
  'job-printer-up-time',
  'number-of-documents',
  'number-of-intervening-jobs',
  'time-at-creation',
  'time-at-processing',
];

export function jobSight(answer: Message): JobSight {
  return sightOf(subject(agreed(answer), 'job-attributes'));
}

/** Takes the attributes of one job. Throws `printer-protocol` for a job without a state. */
export function sightOf(attributes: readonly Attribute[]): JobSight {
  const state = stateOf(integer(attributes, 'job-state'));
  const reasons = keywords(attributes, 'job-state-reasons').filter((reason) => reason !== 'none');
  const impressions = integer(attributes, 'job-impressions');
  const impressionsCompleted = counter(attributes, 'job-impressions-completed');
  const sheetsCompleted = counter(attributes, 'job-media-sheets-completed');
  const moves = ['job-k-octets-processed', 'number-of-intervening-jobs'];
  const counters = [impressionsCompleted, sheetsCompleted, ...moves.map((name) => integer(attributes, name))];
  return {
    report: {
      state,
      reasons,
      ...(impressions === undefined ? {} : { impressions }),
      ...(impressionsCompleted === undefined ? {} : { impressionsCompleted }),
      ...(sheetsCompleted === undefined ? {} : { sheetsCompleted }),
    },
    shown: shownMarks(attributes),
    isUnbegun: valuesOf(attributes, 'time-at-processing')[0]?.tag === 'no-value',
    fingerprint: JSON.stringify([state, reasons, counters]),
    awaitsDocument: awaitsDocument(state, reasons, integer(attributes, 'number-of-documents')),
  };
}

/** RFC 8011 sections 5.3.8 (job-incoming, job-data-insufficient) and 5.3.12 (number-of-documents). */
function awaitsDocument(
  state: JobState,
  reasons: readonly string[],
  documents: number | undefined,
): boolean | undefined {
  if (state !== 'pending' && state !== 'pending-held') return false;
  if (documents !== undefined && documents >= 0) return documents === 0;
  return (
    reasons.some((reason) => reason === 'job-incoming' || reason === 'job-data-insufficient') || undefined
  );
}

/** A negative value means unknown (RFC 2707 section 4, -2). */
function counter(attributes: readonly Attribute[], name: string): number | undefined {
  const count = integer(attributes, name);
  return count === undefined || count < 0 ? undefined : count;
}

export const shownMarks = (attributes: readonly Attribute[]): ShownMarks => ({
  jobId: integer(attributes, 'job-id'),
  jobName: string(attributes, 'job-name'),
  uuid: string(attributes, 'job-uuid'),
  createdAt: integer(attributes, 'time-at-creation'),
  upTime: integer(attributes, 'job-printer-up-time'),
});

export const printersJob: JobReading = { attributes: watchedAttributes, sight: jobSight };

function stateOf(number: number | undefined): JobState {
  const state = jobStateName(number);
  if (state === undefined) throw new Problem('printer-protocol', 'the printer answered without a job-state');
  return state;
}
