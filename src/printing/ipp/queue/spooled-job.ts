/**
 * Reads a job in a queue of CUPS. Once CUPS has begun it, its counters show what the filters counted, not what came
 * out: an unchanged document counts as one page before the printer has taken a byte. Before that they are 0, and
 * nothing came out. A job that is begun a second time is printed again (INVARIANTS.md D15). CUPS gives the time of
 * beginning in seconds; only `spooler-vigil.ts` notices a restart within the first second.
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
  // A job that was cancelled before it began keeps its document too.
  const keepsDocument = boolean(attributes, 'job-preserved') ?? false;
  const { state } = seen.report;
  // CUPS 2.4 names this reason for every ended job, even if it came out.
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
