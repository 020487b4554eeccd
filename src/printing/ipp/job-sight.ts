/** One look at a job: its attributes (RFC 8011 section 5.3) made a report, and whether the job is ours at all. */
import type { PrinterJob } from '../../domain/ports/printing.ts';
import { Problem } from '../../domain/problem.ts';
import type { JobReport, JobState } from '../../domain/release.ts';
import type { Message } from '../../ipp/message.ts';
import { group, integer, keywords, string } from '../../ipp/message.ts';
import { jobStateName } from '../../ipp/states.ts';
import { statusCodes } from '../../ipp/status.ts';
import { agreed } from './refusal.ts';

export interface JobSight {
  readonly report: JobReport;
  readonly jobId: number | undefined;
  readonly jobName: string | undefined;
  /** Changes whenever the job has moved. */
  readonly fingerprint: string;
  /** It is being printed, and the printer has no counter to show it. */
  readonly countsNothing: boolean;
  /** printer-up-time when it was begun, where another value means that it is printed again. */
  readonly begunAt?: number;
  /** It was begun, and waits to be begun again. */
  readonly waitsAgain?: boolean;
  /** It has ended, and its document was kept. */
  readonly keepsDocument?: boolean;
}

/** How jobs are looked at: a printer's own are taken at its word, a spooler's are read in `spooled-job.ts`. */
export interface JobReading {
  /** What is asked for. */
  readonly attributes: readonly string[];
  sight(answer: Message): JobSight;
}

const watchedAttributes: readonly string[] = [
  'job-id',
  'job-name',
  'job-state',
  'job-state-reasons',
  'job-impressions-completed',
  'job-media-sheets-completed',
  'job-k-octets-processed',
];

/** Throws `outcome-unknown` when the printer has no such job, `printer-protocol` when it has one without a state. */
export function jobSight(answer: Message): JobSight {
  if (
    answer.code === statusCodes['client-error-not-found'] ||
    answer.code === statusCodes['client-error-gone']
  ) {
    throw new Problem('outcome-unknown', 'the printer does not know the job');
  }
  const attributes = group(agreed(answer), 'job-attributes');
  const state = stateOf(integer(attributes, 'job-state'));
  const reasons = keywords(attributes, 'job-state-reasons').filter((reason) => reason !== 'none');
  const impressionsCompleted = integer(attributes, 'job-impressions-completed');
  const sheetsCompleted = integer(attributes, 'job-media-sheets-completed');
  const counters = [impressionsCompleted, sheetsCompleted, integer(attributes, 'job-k-octets-processed')];
  return {
    report: {
      state,
      reasons,
      ...(impressionsCompleted === undefined ? {} : { impressionsCompleted }),
      ...(sheetsCompleted === undefined ? {} : { sheetsCompleted }),
    },
    jobId: integer(attributes, 'job-id'),
    jobName: string(attributes, 'job-name'),
    fingerprint: JSON.stringify([state, reasons, counters]),
    countsNothing: state === 'processing' && counters.every((counter) => counter === undefined),
  };
}

export const printersJob: JobReading = { attributes: watchedAttributes, sight: jobSight };

function stateOf(number: number | undefined): JobState {
  const state = jobStateName(number);
  if (state === undefined) throw new Problem('printer-protocol', 'the printer answered without a job-state');
  return state;
}

/** The short release id in brackets that ends our job-names; see `jobName` of `domain/release.ts`. */
const releaseMark = /\[[0-9a-f]{8}\]$/;

/** The short release id in it. */
export const releaseIn = (jobName: string): string | undefined => releaseMark.exec(jobName)?.[0].slice(1, -1);

/** False when the printer tells of another job, or names ours as we did not: ids are given again after a restart. */
export function isOurs(
  seen: Pick<JobSight, 'jobName'> & { readonly jobId?: number | undefined },
  job: Pick<PrinterJob, 'jobName'> & { readonly jobId?: number },
): boolean {
  if (seen.jobId !== undefined && job.jobId !== undefined && seen.jobId !== job.jobId) return false;
  if (seen.jobName === undefined) return true;
  return seen.jobName.endsWith(releaseMark.exec(job.jobName)?.[0] ?? job.jobName);
}
