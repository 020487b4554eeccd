/**
 * Looks at jobs, and remembers of each what only the way to its end shows: which job it is, that pages were counted, that
 * it was being printed (RFC 8011 section 4.3.4, Get-Job-Attributes). Decides nothing; `job-follower.ts` does.
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
import { jobStateName } from '../../../ipp/states.ts';
import { statusCodes } from '../../../ipp/status.ts';
import { integer as integerValue, keyword } from '../../../ipp/values.ts';
import type { Acquaintance } from '../wire/acquaintance.ts';
import type { IppClient } from '../wire/ipp-client.ts';
import { agreed, isDefinite } from '../wire/refusal.ts';
import { isHeld } from './held-job.ts';
import type { MarkedJob } from './job-marks.ts';
import { markedJob } from './job-marks.ts';
import type { JobReading, JobSight } from './job-sight.ts';
import { shownMarks, sightOf } from './job-sight.ts';

/** What a printer answers when it is asked about a job; `not-ours`: nothing shows that the job it tells of is ours. */
export type Look =
  | { readonly kind: 'seen'; readonly sight: JobSight }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'refused'; readonly problem: Problem }
  | { readonly kind: 'not-ours' };

/** What is remembered of a job. */
export interface JobRecord {
  readonly marked: MarkedJob;
  /** The last report with pages in it. */
  counted?: JobReport;
  /** The last one of all. */
  last?: JobReport;
  /** The printer has answered for it when it was asked. */
  wasTold: boolean;
  /** It was seen on its way to the paper. */
  wasProcessing: boolean;
  /** The device held it when it was seen last before its end, and had not begun with it. */
  wasHeld: boolean;
  /** The printer had counted before: what it says of this job is read so to its end, also where that teaches otherwise. */
  isProven: boolean;
}

export interface JobLooks {
  /** The printer has made it just now. */
  begin(job: PrinterJob): void;
  recordOf(job: PrinterJob): JobRecord;
  /** Rejects when the printer did not answer, or cannot say at the moment. */
  look(job: PrinterJob, options: CallOptions): Promise<Look>;
  /** What the answer to a request that was about the job tells of it; `undefined` where it tells nothing. */
  note(job: PrinterJob, answer: Message): JobReport | undefined;
  /** The job among those that have ended, where the printer lists them; never rejects but by the signal. */
  lookAmongEnded(job: PrinterJob, options: CallOptions): Promise<JobReport | undefined>;
}

interface LooksDeps {
  readonly client: IppClient;
  readonly clock: Clock;
  readonly reading: JobReading;
  /** Of a spooler; see `markedJob`. */
  readonly hasStayed?: ((job: PrinterJob) => boolean) | undefined;
  /** Absent where counters and names are not the device's own. */
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
      if (record.marked.whose(sight.shown) !== 'ours') return { kind: 'not-ours' };
      if (habits) learnNameCut(habits, job, record.marked.marks());
      record.wasTold = true;
      return { kind: 'seen', sight: { ...sight, report: this.#remembered(record, told(record, sight)) } };
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
    record.marked.whose(shownMarks(attributes));
    // What was asked is done, whatever state it says.
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
      const isIts = hasEnded(report) && record.marked.whose(shown) === 'ours';
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
      wasTold: false,
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

  /** A page that was counted came out, also where a printer forgets that as it cancels the job (I1, I11). */
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

/** A device that held a job says truly that it never began with it; whoever hurries may forget that it did. */
function told(record: JobRecord, { report, isUnbegun }: JobSight): JobReport {
  if (!hasEnded(report)) record.wasHeld = isHeld(report) && !record.wasProcessing;
  return hasEnded(report) && record.wasHeld && isUnbegun ? { ...report, hasBegun: false } : report;
}

/** The newest come first (RFC 8011 section 4.2.6.2). */
const longestList = 50;

/** Who calls a job completed with nothing counted does not count after all. */
function learnCounting(
  acquaintance: Pick<Acquaintance, 'habits' | 'learn'>,
  { state, impressionsCompleted, sheetsCompleted }: JobReport,
  hasCounted: boolean,
): void {
  const isTold = impressionsCompleted !== undefined || sheetsCompleted !== undefined;
  const isUnderWay = state === 'processing' || state === 'processing-stopped';
  const isProven = acquaintance.habits().counts === 'while-printing';
  if (isUnderWay && hasCounted && !isProven) acquaintance.learn({ counts: 'while-printing' });
  if (state === 'completed' && isTold && !hasCounted && isProven) acquaintance.learn({ counts: undefined });
}

/**
 * Learns where a printer cuts job-names, so that the next one has the release's id in front (see `jobName`). A character
 * that it cut in two is not told any more, and not counted.
 */

/** Fewer octets are a name of the printer's own that ours happens to begin with. */
const shortestCut = 16;

export function learnNameCut(
  acquaintance: Pick<Acquaintance, 'habits' | 'learn'>,
  { jobName }: PrinterJob,
  { shownName }: JobMarks,
): void {
  const { cutsNamesAt: cutBefore = longestName } = acquaintance.habits();
  // Longer than what it cut before, and whole: new firmware, or it was a name of its own.
  if (shownName === jobName && Buffer.byteLength(jobName) > cutBefore)
    acquaintance.learn({ cutsNamesAt: undefined });
  const whole = shownName?.replace(/\uFFFD+$/u, '');
  if (whole === undefined || whole === jobName || !jobName.startsWith(whole)) return;
  const cutsNamesAt = Buffer.byteLength(whole);
  if (cutsNamesAt >= shortestCut && acquaintance.habits().cutsNamesAt !== cutsNamesAt)
    acquaintance.learn({ cutsNamesAt });
}
