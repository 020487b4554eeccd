/**
 * A job in a queue of CUPS, read for what it is worth. Once CUPS has begun it, its counters tell what the filters
 * counted, not what came out: a document passed on unchanged counts as one page before the printer has taken a byte.
 * Until then they are 0, and nothing came out. A job begun a second time is printed again (reliability.md D15); CUPS
 * tells by the second when it began one, so a restart within the first second is not seen.
 */
import type { Message } from '../../ipp/message.ts';
import { boolean, group, valuesOf } from '../../ipp/message.ts';
import type { JobReading, JobSight } from './job-sight.ts';
import { printersJob } from './job-sight.ts';

export const spooledJob: JobReading = {
  attributes: [...printersJob.attributes, 'time-at-processing', 'job-preserved'],
  sight,
};

function sight(answer: Message): JobSight {
  const seen = printersJob.sight(answer);
  const attributes = group(answer, 'job-attributes');
  const [begun] = valuesOf(attributes, 'time-at-processing');
  if (begun?.tag === 'no-value') return seen;
  const { state, reasons } = seen.report;
  return {
    ...seen,
    report: { state, reasons },
    countsNothing: state === 'processing',
    ...(begun?.tag === 'integer'
      ? { begunAt: begun.integer, waitsAgain: state === 'pending' || state === 'pending-held' }
      : {}),
    keepsDocument: boolean(attributes, 'job-preserved') ?? false,
  };
}
