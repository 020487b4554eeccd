/**
 * Looks at jobs (RFC 8011 section 4.3.4, Get-Job-Attributes). It remembers facts that only the way to the end shows:
 * which job it is, that pages were counted, that it was being printed. It decides nothing; `job-follower.ts` does.
 */
import type { Clock } from '../../../core/clock.ts';
import type { CallOptions } from '../../../domain/ports/call.ts';
import type { JobMarks, PrinterJob } from '../../../domain/ports/printing.ts';
import type { Problem } from '../../../domain/problem/problem.ts';
import { asProblem } from '../../../domain/problem/problem.ts';
import type { JobReport } from '../../../domain/release.ts';
import { hasEnded, longestName } from '../../../domain/release.ts';
import type { Attribute, Message } from '../../../ipp/message.ts';
import { attribute, groups, integer, subject } from '../../../ipp/message.ts';
import { jobStateName, statusCodes } from '../../../ipp/registry.ts';
import { integer as integerValue, keyword } from '../../../ipp/values.ts';
import type { Acquaintance } from '../wire/acquaintance.ts';
import type { IppClient } from '../wire/ipp-client.ts';
import { agreed, isDefinite } from '../wire/refusal.ts';
import { isHeld } from './standing-signs.ts';
import type { MarkedJob } from './job-marks.ts';
import { markedJob } from './job-marks.ts';
import type { JobReading, JobSight } from './job-sight.ts';
import { shownMarks, sightOf } from './job-sight.ts';

/** A printer's answer about a job; `not-ours`: nothing shows that the job is ours. */
export type Look =
  | { readonly kind: 'seen'; readonly sight: JobSight }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'refused'; readonly problem: Problem }
  | { readonly kind: 'not-ours' };

export interface JobRecord {
  readonly marked: MarkedJob;
  /** The last report with pages in it. */
  counted?: JobReport;
  /** The last report. */
  last?: JobReport;
  /** The printer has answered a question about this job. */
  wasReported: boolean;
  /** The job was seen on its way to the paper. */
  wasProcessing: boolean;
  /** When last seen before its end, the device held the job and had not begun it. */
  wasHeld: boolean;
  /**
   * The printer had counted pages before. Its counters of this job are believed until its end, even if they then prove
   * unreliable.
   */
  isProven: boolean;
}

export interface JobLooks {
  /** The printer has just made the job. */
  begin(job: PrinterJob): void;
  recordOf(job: PrinterJob): JobRecord;
  /** Rejects when the printer did not answer, or cannot say at the moment. */
  look(job: PrinterJob, options: CallOptions): Promise<Look>;
  /** The state of the job in the answer to another request; `undefined` if the answer has none. */
  note(job: PrinterJob, answer: Message): JobReport | undefined;
  /** The job in the list of ended jobs, if the printer has such a list. Rejects only by the signal. */
  lookAmongEnded(job: PrinterJob, options: CallOptions): Promise<JobReport | undefined>;
}

interface LooksDeps {
  readonly client: IppClient;
  readonly clock: Clock;
  readonly reading: JobReading;
  /** For a spooler; see `markedJob`. */
  readonly hasStayed?: ((job: PrinterJob) => boolean) | undefined;
  /** Absent if counters and names are not the device's own. */
  readonly habits?: Pick<Acquaintance, 'habits' | 'learn'>;
}

export const jobLooks = (deps: LooksDeps): JobLooks => new RememberedJobs(deps);

class RememberedJobs implements JobLooks {
  readonly #deps: LooksDeps;
  readonly #wanted: Attribute;
  readonly #records = new WeakMap<PrinterJob, JobRecord>();

  constructor(deps: LooksDeps) {
    this.#deps = deps;
    this.#wanted = attribute('requested-attributes', ...deps.reading.attributes.map(keyword));
  }

  begin(job: PrinterJob): void {
    this.#record(job, true);
  }

  recordOf(job: PrinterJob): JobRecord {
    return this.#record(job, false);
  }

  async look(job: PrinterJob, options: CallOptions): Promise<Look> {
    const { client, reading, habits } = this.#deps;
    const record = this.recordOf(job);
    try {
      const answer = await client.ask(this.#questionAbout(job), options);
      record.marked.heard();
      const { code } = answer;
      if (code === statusCodes['client-error-not-found'] || code === statusCodes['client-error-gone'])
        return { kind: 'not-found' };
      const sight = reading.sight(answer);
      if (record.marked.ownership(sight.shown) !== 'ours') return { kind: 'not-ours' };
      if (habits) learnNameCut(habits, job, record.marked.marks());
      record.wasReported = true;
      return { kind: 'seen', sight: { ...sight, report: this.#remembered(record, reportOf(record, sight)) } };
    } catch (error) {
      options.signal.throwIfAborted();
      const problem = asProblem(error, 'printer-unreachable', 'the printer could not be asked about the job');
      if (problem.delivery === 'answered' && isDefinite(problem)) return { kind: 'refused', problem };
      if (problem.code === 'printer-unreachable') record.marked.lost();
      throw problem;
    }
  }

  note(job: PrinterJob, answer: Message): JobReport | undefined {
    const record = this.recordOf(job);
    record.marked.heard();
    const attributes = subject(answer, 'job-attributes');
    record.marked.ownership(shownMarks(attributes));
    // The request succeeded, with or without a state.
    if (jobStateName(integer(attributes, 'job-state')) === undefined) return undefined;
    const { report } = sightOf(attributes);
    if (report.state === 'processing') record.wasProcessing = true;
    record.last ??= report;
    return report;
  }

  async lookAmongEnded(job: PrinterJob, options: CallOptions): Promise<JobReport | undefined> {
    try {
      const answer = agreed(await this.#deps.client.ask(this.#questionAboutEnded(job), options));
      const listed = groups(answer, 'job-attributes');
      const ours = listed.find(({ attributes }) => integer(attributes, 'job-id') === job.jobId);
      const record = this.recordOf(job);
      if (ours === undefined) return undefined;
      const { report, shown } = sightOf(ours.attributes);
      const isIts = hasEnded(report) && record.marked.ownership(shown) === 'ours';
      return isIts ? this.#remembered(record, report) : undefined;
    } catch {
      options.signal.throwIfAborted();
      return undefined;
    }
  }

  #record(job: PrinterJob, isNew: boolean): JobRecord {
    const { clock, hasStayed } = this.#deps;
    const known = this.#records.get(job) ?? {
      marked: markedJob(job, { clock, isNew, hasStayed }),
      wasReported: false,
      wasProcessing: false,
      wasHeld: false,
      isProven: false,
    };
    this.#records.set(job, known);
    return known;
  }

  #questionAbout({ jobId, marks }: PrinterJob) {
    const attributes = [this.#wanted];
    return { operation: 'Get-Job-Attributes', jobId, userName: marks?.userName, attributes } as const;
  }

  #questionAboutEnded({ marks }: PrinterJob) {
    return {
      operation: 'Get-Jobs',
      userName: marks?.userName,
      attributes: [
        attribute('limit', integerValue(longestList)),
        this.#wanted,
        attribute('which-jobs', keyword('completed')),
      ],
    } as const;
  }

  /** A counted page came out, even if the printer forgets that when it cancels the job (I1, I11). */
  #remembered(record: JobRecord, seen: JobReport): JobReport {
    const { habits } = this.#deps;
    const { state, reasons, impressionsCompleted, sheetsCompleted } = seen;
    const hasCounted = (impressionsCompleted ?? 0) + (sheetsCompleted ?? 0) > 0;
    record.isProven ||= habits?.habits().counts === 'while-printing';
    if (habits) learnCounting(habits, seen, hasCounted);
    if (state === 'processing' || state === 'processing-stopped') record.wasProcessing = true;
    if (hasCounted && state !== 'completed') record.counted = seen;
    const counted = state === 'completed' ? undefined : record.counted;
    const report = counted ? { ...counted, state, reasons } : seen;
    record.last = record.isProven ? { ...report, isProvenCounter: true } : report;
    return record.last;
  }
}

/**
 * A device that held a job tells the truth if it says that it never began the job. Any other printer may leave out the
 * beginning of a quick job.
 */
function reportOf(record: JobRecord, { report, isUnbegun }: JobSight): JobReport {
  if (!hasEnded(report)) record.wasHeld = isHeld(report) && !record.wasProcessing;
  return hasEnded(report) && record.wasHeld && isUnbegun ? { ...report, hasBegun: false } : report;
}

/** The newest come first (RFC 8011 section 4.2.6.2). */
const longestList = 50;

/** A printer that calls a job completed with nothing counted does not really count. */
function learnCounting(
  acquaintance: Pick<Acquaintance, 'habits' | 'learn'>,
  { state, impressionsCompleted, sheetsCompleted }: JobReport,
  hasCounted: boolean,
): void {
  const hasCounters = impressionsCompleted !== undefined || sheetsCompleted !== undefined;
  const isUnderWay = state === 'processing' || state === 'processing-stopped';
  const isProven = acquaintance.habits().counts === 'while-printing';
  if (isUnderWay && hasCounted && !isProven) acquaintance.learn({ counts: 'while-printing' });
  if (state === 'completed' && hasCounters && !hasCounted && isProven)
    acquaintance.learn({ counts: undefined });
}

/** If fewer octets remain, the printer made its own name, and ours happens to begin with it. */
const shortestCut = 16;

/**
 * Learns where a printer cuts job-names, so that the next name has the release's id in front (see `jobName`). A
 * character that was cut in two is replaced in the answer and does not count.
 */
export function learnNameCut(
  acquaintance: Pick<Acquaintance, 'habits' | 'learn'>,
  { jobName }: PrinterJob,
  { shownName }: JobMarks,
): void {
  const { cutsNamesAt: cutBefore = longestName } = acquaintance.habits();
  // The name came back whole although it is longer than the former cut: new firmware, or the former name was the
  // printer's own.
  if (shownName === jobName && Buffer.byteLength(jobName) > cutBefore)
    acquaintance.learn({ cutsNamesAt: undefined });
  const whole = shownName?.replace(/\uFFFD+$/u, '');
  if (whole === undefined || whole === jobName || !jobName.startsWith(whole)) return;
  const cutsNamesAt = Buffer.byteLength(whole);
  if (cutsNamesAt >= shortestCut && acquaintance.habits().cutsNamesAt !== cutsNamesAt)
    acquaintance.learn({ cutsNamesAt });
}
