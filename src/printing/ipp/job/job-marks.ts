/**
 * Whether the job that a printer tells of under an id is ours (INVARIANTS.md B.4, 7 Print: job-id reused or foreign).
 * Ids are given again after a restart, and names come back cut, in capitals, masked, or not at all; so a job is known by
 * its job-uuid, by the release's short id in its name, or by its id on a printer that has not restarted since
 * (printer-up-time, RFC 8011 section 5.4.29). What cannot be shown to be ours is nobody's to judge or cancel.
 */
import type { Clock } from '../../../core/clock.ts';
import { inSeconds, milliseconds, seconds } from '../../../core/duration.ts';
import type { JobMarks, PrinterJob } from '../../../domain/ports/printing.ts';
import { shortIdsIn } from '../../../domain/release.ts';

/** What an answer tells of a job, and of the moment in the printer's life. */
export interface ShownMarks {
  readonly jobId: number | undefined;
  readonly jobName: string | undefined;
  readonly uuid: string | undefined;
  readonly createdAt: number | undefined;
  /** Of the printer, in seconds. */
  readonly upTime: number | undefined;
}

/** `not-shown`: it may be ours, and nothing says so. */
export type Whose = 'ours' | 'foreign' | 'not-shown';

/** One job under way, as far as it can be told from others. */
export interface MarkedJob {
  whose(shown: ShownMarks): Whose;
  /** The printer answered, of whatever: it is the one that it was. */
  heard(): void;
  /** It did not: it may be another life of it by the next answer. */
  lost(): void;
  /** Whether this is still the life of the printer in which the job was made; `undefined`: nothing tells. */
  isSameLife(upTime: number | undefined): boolean | undefined;
  marks(): JobMarks;
}

/** No printer that is restarted answers again so soon. */
const soonestRestart = seconds(20);
/** In seconds: clocks of printers count whole ones, and run as they like; after a restart of ours, so does our own. */
const slackInTouch = 2;
const slackAfterAll = 10;

/** The short release id in it. */
export const releaseIn = (jobName: string): string | undefined => shortIdsIn(jobName).at(-1);

/** Whether a name, as a printer shows it, carries the id of that job-name. */
export function isNamedAs(shown: string, jobName: string): boolean {
  const id = releaseIn(jobName);
  return id === undefined ? shown === jobName : shortIdsIn(shown).includes(id);
}

/** By what it is known from everybody else's, whatever became of the printer meanwhile. */
export const isKnownAs = ({ uuid, jobName }: ShownMarks, job: PrinterJob): boolean =>
  (uuid !== undefined && uuid === job.marks?.uuid) ||
  (jobName !== undefined && isNamedAs(jobName, job.jobName));

export interface MarkedJobDeps {
  readonly clock: Clock;
  /** The printer has made it just now. */
  readonly isNew: boolean;
  /** Of a spooler, which is back a moment after it was killed: whether it was seen to stay since the job was made. */
  readonly hasStayed?: ((job: PrinterJob) => boolean) | undefined;
}

interface Moment {
  readonly wall: number;
  readonly monotonic: number;
}

const momentOf = (clock: Clock): Moment => ({ wall: clock.now(), monotonic: clock.monotonic() });

/** By the clock that says more: the monotonic one stands still while the computer is suspended, and the printer's goes on. */
const spanSince = ({ wall, monotonic }: Moment, clock: Clock): number =>
  Math.max(clock.now() - wall, clock.monotonic() - monotonic);

export function markedJob(job: PrinterJob, { clock, isNew, hasStayed }: MarkedJobDeps): MarkedJob {
  let marks: JobMarks = job.marks ?? {};
  /** The last of the answers that came without a break since the job was made. */
  let heardAt = isNew ? momentOf(clock) : undefined;
  const isInTouch = () =>
    hasStayed?.(job) ?? (heardAt !== undefined && spanSince(heardAt, clock) <= soonestRestart);

  function isSameLife(upTime: number | undefined): boolean | undefined {
    // The clock of a spooler is the computer's.
    const then = hasStayed ? undefined : marks.upTime;
    if (then === undefined || upTime === undefined) return isInTouch() ? true : undefined;
    // The time of one life never runs backwards.
    if (upTime < then.seconds) return false;
    const elapsed = Math.max(0, inSeconds(milliseconds(clock.now() - then.at)));
    const slack = (isInTouch() ? slackInTouch : slackAfterAll) + elapsed / 50;
    // Who was restarted since cannot be up for longer than since then; how soon it answers again says nothing.
    return upTime > elapsed + slack ? true : undefined;
  }

  function whose(shown: ShownMarks): Whose {
    if (shown.jobId !== undefined && shown.jobId !== job.jobId) return 'not-shown';
    if (shown.uuid !== undefined && marks.uuid !== undefined)
      return shown.uuid === marks.uuid ? 'ours' : 'foreign';
    if (shown.jobName !== undefined && isNamedAs(shown.jobName, job.jobName)) return 'ours';
    if (isAnothers(shown)) return 'foreign';
    const isSame = isSameLife(shown.upTime);
    if (isSame === true) return isRenamed(shown) && shown.upTime === undefined ? 'not-shown' : 'ours';
    if (isSame === false) return 'foreign';
    return isSameMoment(shown) ? 'ours' : 'not-shown';
  }

  /** It carries the id of another release, which no printer makes of ours. */
  const isAnothers = ({ jobName = '' }: ShownMarks): boolean =>
    shortIdsIn(jobName).some((id) => !shortIdsIn(job.jobName).includes(id));

  const isRenamed = ({ jobName }: ShownMarks): boolean =>
    jobName !== undefined && marks.shownName !== undefined && jobName !== marks.shownName;

  /** Made at the same second of the printer's life, and shown under the same name, if any. */
  const isSameMoment = ({ createdAt, jobName }: ShownMarks): boolean =>
    createdAt !== undefined && createdAt > 0 && createdAt === marks.createdAt && jobName === marks.shownName;

  return {
    whose(shown) {
      const verdict = whose(shown);
      if (verdict === 'ours') marks = withShown(marks, shown);
      return verdict;
    },
    heard() {
      if (isInTouch()) heardAt = momentOf(clock);
    },
    lost() {
      heardAt = undefined;
    },
    isSameLife,
    marks: () => marks,
  };
}

/** The first word on each counts. */
const withShown = (marks: JobMarks, shown: ShownMarks): JobMarks => ({
  ...marks,
  uuid: marks.uuid ?? shown.uuid,
  shownName: marks.shownName ?? shown.jobName,
  createdAt: marks.createdAt ?? shown.createdAt,
});
