/**
 * A job in a queue of CUPS, read for what it is worth. Once CUPS has begun it, its counters tell what the filters
 * counted, not what came out: a document passed on unchanged counts as one page before the printer has taken a byte.
 * Until then they are 0, and nothing came out. A job begun a second time is printed again (INVARIANTS.md D15); CUPS
 * tells by the second when it began one; a restart within the first second is seen by `spooler-vigil.ts` alone.
 */
import { hasEnded } from '../../../domain/release.ts';
import type { Message } from '../../../ipp/message.ts';
import { boolean, group, valuesOf } from '../../../ipp/message.ts';
import type { JobReading, JobSight } from '../job/job-sight.ts';
import { printersJob } from '../job/job-sight.ts';

export const spooledJob: JobReading = {
  attributes: [...printersJob.attributes, 'job-preserved'],
  sight,
};

function sight(answer: Message): JobSight {
  const seen = printersJob.sight(answer);
  const attributes = group(answer, 'job-attributes');
  const [begun] = valuesOf(attributes, 'time-at-processing');
  // A job that was cancelled before it began keeps its document as well.
  const keepsDocument = boolean(attributes, 'job-preserved') ?? false;
  const { state } = seen.report;
  // CUPS 2.4 says it of every job that has ended, those that came out among them.
  const reasons = hasEnded(seen.report)
    ? seen.report.reasons.filter((reason) => reason !== 'processing-to-stop-point')
    : seen.report.reasons;
  if (begun?.tag === 'no-value') {
    return { ...seen, report: { ...seen.report, reasons, hasBegun: false }, keepsDocument };
  }
  return {
    ...seen,
    report: { state, reasons },
    ...(begun?.tag === 'integer'
      ? { begunAt: begun.integer, waitsAgain: state === 'pending' || state === 'pending-held' }
      : {}),
    keepsDocument,
  };
}
