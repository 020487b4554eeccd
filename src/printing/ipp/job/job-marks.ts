/**
 * Whether the job that a printer shows under an id is ours (INVARIANTS.md B.4, 7 Print: job-id reused or foreign).
 * After a restart ids are used again, and names come back cut, in capitals, masked or not at all. So a job is known by
 * its job-uuid or by the release's short id in its name. Its id is enough on a printer that has not restarted since
 * (printer-up-time, RFC 8011 section 5.4.29). A job that cannot be shown to be ours is neither judged nor cancelled.
 */
import type { Clock } from '../../../core/clock.ts';
import { inSeconds, milliseconds, seconds } from '../../../core/duration.ts';
import type { JobMarks, PrinterJob } from '../../../domain/ports/printing.ts';
import { shortIdsIn } from '../../../domain/release.ts';

/** The job's marks in an answer, and the moment in the printer's life. */
export interface ShownMarks {
  readonly jobId: number | undefined;
  readonly jobName: string | undefined;
  readonly uuid: string | undefined;
  readonly createdAt: number | undefined;
  /** Of the printer, in seconds. */
  readonly upTime: number | undefined;
}

/** `not-shown`: the job may be ours, but nothing shows it. */
export type Ownership = 'ours' | 'foreign' | 'not-shown';

/** One job under way, and the signs that distinguish it from others. */
export interface MarkedJob {
  ownership(shown: ShownMarks): Ownership;
  /** The printer answered any question, so it has not restarted. */
  heard(): void;
  /** The printer did not answer: it may have restarted by the next answer. */
  lost(): void;
  /** Whether the printer has not restarted since it made the job; `undefined`: unknown. */
  isSameLife(upTime: number | undefined): boolean | undefined;
  marks(): JobMarks;
}

/** No restarted printer answers again so soon. */
const soonestRestart = seconds(20);
/**
 * In seconds. Clocks of printers count whole seconds and are not exact. After a restart of ours, our own clock is not
 * exact either.
 */
const slackInTouch = 2;
const slackAfterAll = 10;

/** The short release id in the name. */
export const releaseIn = (jobName: string): string | undefined => shortIdsIn(jobName).at(-1);

/** Whether a name, as a printer shows it, carries the id of that job-name. */
export function isNamedAs(shown: string, jobName: string): boolean {
  const id = releaseIn(jobName);
  return id === undefined ? shown === jobName : shortIdsIn(shown).includes(id);
}

/** By marks that distinguish it from all other jobs, even after a restart of the printer. */
export const isKnownAs = ({ uuid, jobName }: ShownMarks, job: PrinterJob): boolean =>
  (uuid !== undefined && uuid === job.marks?.uuid) ||
  (jobName !== undefined && isNamedAs(jobName, job.jobName));

export interface MarkedJobDeps {
  readonly clock: Clock;
  /** The printer has just made it. */
  readonly isNew: boolean;
  /** For a spooler, which is back a moment after it was killed: whether it was seen to stay since the job was made. */
  readonly hasStayed?: ((job: PrinterJob) => boolean) | undefined;
}

interface Moment {
  readonly wall: number;
  readonly monotonic: number;
}

const momentOf = (clock: Clock): Moment => ({ wall: clock.now(), monotonic: clock.monotonic() });

/**
 * By the clock that moved more: our monotonic clock stands still while the computer is suspended, and the printer's
 * clock goes on.
 */
const spanSince = ({ wall, monotonic }: Moment, clock: Clock): number =>
  Math.max(clock.now() - wall, clock.monotonic() - monotonic);

export function markedJob(job: PrinterJob, { clock, isNew, hasStayed }: MarkedJobDeps): MarkedJob {
  let marks: JobMarks = job.marks ?? {};
  /** The last of the answers that came without a break since the job was made. */
  let heardAt = isNew ? momentOf(clock) : undefined;
  const isInTouch = () =>
    hasStayed?.(job) ?? (heardAt !== undefined && spanSince(heardAt, clock) <= soonestRestart);

  function isSameLife(upTime: number | undefined): boolean | undefined {
    // A spooler uses the computer's clock.
    const then = hasStayed ? undefined : marks.upTime;
    if (then === undefined || upTime === undefined) return isInTouch() ? true : undefined;
    // Without a restart the up-time never goes back.
    if (upTime < then.seconds) return false;
    const elapsed = Math.max(0, inSeconds(milliseconds(clock.now() - then.at)));
    const slack = (isInTouch() ? slackInTouch : slackAfterAll) + elapsed / 50;
    // A printer that has restarted cannot be up for longer than the time since then. A quick answer proves nothing.
    return upTime > elapsed + slack ? true : undefined;
  }

  function ownership(shown: ShownMarks): Ownership {
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

  /** The name carries the id of another release, and no printer would make that from ours. */
  const isAnothers = ({ jobName = '' }: ShownMarks): boolean =>
    shortIdsIn(jobName).some((id) => !shortIdsIn(job.jobName).includes(id));

  const isRenamed = ({ jobName }: ShownMarks): boolean =>
    jobName !== undefined && marks.shownName !== undefined && jobName !== marks.shownName;

  /** Made at the same second of the printer's life, and shown under the same name, if any. */
  const isSameMoment = ({ createdAt, jobName }: ShownMarks): boolean =>
    createdAt !== undefined && createdAt > 0 && createdAt === marks.createdAt && jobName === marks.shownName;

  return {
    ownership(shown) {
      const verdict = ownership(shown);
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

/** The first value of each counts. */
const withShown = (marks: JobMarks, shown: ShownMarks): JobMarks => ({
  ...marks,
  uuid: marks.uuid ?? shown.uuid,
  shownName: marks.shownName ?? shown.jobName,
  createdAt: marks.createdAt ?? shown.createdAt,
});
