/**
 * The signs of a job that does not move or has just ended: whether it stands until a person repairs the printer
 * (contract, section 3, "How long a job may stand"), whether a person holds it, and whether its report may still
 * change. A reason that is new since the job was made shows an obstacle at once. A reason that the printer already
 * named while idle is about a tray that was empty before. If the printer works in spite of it, it gets the time of a
 * slow printer, because many count their pages late or never.
 */
import type { Duration } from '../../../core/duration.ts';
import { milliseconds } from '../../../core/duration.ts';
import { countsDocuments, isShort } from '../../../domain/printer/job-verdict.ts';
import type { ExpectedOutput, JobReport } from '../../../domain/release.ts';
import { hasEnded } from '../../../domain/release.ts';
import { cancelLimit, countLimit, doubtfulSilence, slowestPage } from '../../timings.ts';

/** The printer's own state while a job is followed. */
export interface PrinterLook {
  /** printer-state-reasons that keep a page from coming out. */
  readonly obstacles: readonly string[];
  /** Reasons that may keep a page from coming out. */
  readonly remarks: readonly string[];
  readonly state: 'idle' | 'processing' | 'stopped';
  /** printer-up-time, in seconds. */
  readonly upTime: number | undefined;
}

/** `perhaps`: the user sees the printer's reasons, but no conclusion is drawn. */
type Standing = 'moves' | 'perhaps' | 'stands';

export interface UnmovedJob {
  readonly state: JobReport['state'];
  /** `undefined`: the job has moved since the last look at the printer. */
  readonly printer: PrinterLook | undefined;
  /** The reasons that the printer named when it was last idle before the job. */
  readonly before: readonly string[];
  /** In milliseconds. */
  readonly unmoved: number;
  readonly expected: ExpectedOutput | undefined;
}

export function standingOf({ state, printer, before, unmoved, expected }: UnmovedJob): Standing {
  if (state === 'processing-stopped') return 'stands';
  if (printer === undefined) return 'moves';
  if (isHindered(printer, before)) return 'stands';
  if (printer.remarks.length === 0) return 'moves';
  // A job behind others waits for those. A job that an idle printer does not begin stands.
  if (state !== 'processing') return printer.state === 'idle' ? 'stands' : 'moves';
  if (unmoved < doubtfulSilence) return 'moves';
  return unmoved < patienceWithRemarks(expected) ? 'perhaps' : 'stands';
}

/** By an obstacle, or by a reason that it did not name before the job. */
export const isHindered = (
  { obstacles, remarks }: Pick<PrinterLook, 'obstacles' | 'remarks'>,
  before: readonly string[],
): boolean => obstacles.length > 0 || remarks.some((reason) => !before.includes(reason));

const patienceWithRemarks = (expected: ExpectedOutput | undefined): Duration =>
  milliseconds(doubtfulSilence + slowestPage * (expected ? expected.pages * expected.copies : 1));

/**
 * Whether the device holds a job until a person at its panel lets it print. The cause may be a policy, a PIN, an
 * account, a button, or a person who has suspended the job. The reason decides in any state. A job that still waits
 * for its document is not held. Sources: RFC 8011 sections 5.3.7 and 5.3.8; PWG 5100.11, job-password-wait and
 * job-release-wait; RFC 3998 section 4.3.1, job-suspended.
 */
export function isHeld({ state, reasons }: Pick<JobReport, 'state' | 'reasons'>): boolean {
  if (reasons.some((reason) => awaitsDocument.includes(reason))) return false;
  if (state === 'pending-held') return true;
  return !hasEnded({ state, reasons }) && reasons.some((reason) => holds.test(reason));
}

const awaitsDocument: readonly string[] = ['job-incoming', 'job-data-insufficient'];

const holds =
  /^(job-(hold-until|delay-output-until)-specified|job-suspended(-.+)?|job-held-(by|for)-.+|job-(password|release|digital-signature)-wait|account-.+|resources-are-not-ready|waiting-for-user-action)$/;

/** How long the report of an ended job may still change. */
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
