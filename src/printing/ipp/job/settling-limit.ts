/** How long the report of an ended job may still change. */
import type { Duration } from '../../../core/duration.ts';
import { milliseconds } from '../../../core/duration.ts';
import { countsDocuments, isShort } from '../../../domain/printer/job-verdict.ts';
import type { ExpectedOutput, JobReport } from '../../../domain/release.ts';
import { cancelLimit, countLimit } from '../../timings.ts';

export function settlingLimit(report: JobReport, expected?: ExpectedOutput): Duration {
  const isGivenUp = report.state !== 'completed';
  if (isGivenUp && report.reasons.includes('processing-to-stop-point')) return cancelLimit;
  // Some printers add up the pages after the job's end, and the sheet on its way counts when it is out.
  const mayCount = isGivenUp ? mayCountOn(report, expected) : isUncounted(report, expected);
  return mayCount ? countLimit : notAtAll;
}

const notAtAll = milliseconds(-1);

/** Pages that are still to be counted must not look missing, because they would be offered for printing again. */
const mayCountOn = (report: JobReport, expected: ExpectedOutput | undefined): boolean =>
  saysNone(report) || (hasPages(report) && (expected === undefined || isShort({ report, expected })));

const saysNone = (report: JobReport): boolean => report.isProvenCounter === true && !hasPages(report);

const isUncounted = (report: JobReport, expected: ExpectedOutput | undefined): boolean =>
  saysNone(report) || (isShort({ report, expected }) && !countsDocuments(report));

const hasPages = ({ impressionsCompleted = 0, sheetsCompleted = 0 }: JobReport): boolean =>
  impressionsCompleted + sheetsCompleted > 0;
