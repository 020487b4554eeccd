/**
 * Whether a job that does not move stands until a person repairs the printer (contract, section 3, "How long a job may
 * stand"). A reason that is new since the job was made shows that at once. A reason that the printer already named
 * while idle is about a tray that was empty before. If the printer works in spite of it, it gets the time of a slow
 * printer, because many count their pages late or never.
 */
import type { Duration } from '../../../core/duration.ts';
import { milliseconds } from '../../../core/duration.ts';
import type { ExpectedOutput, JobReport } from '../../../domain/release.ts';
import { doubtfulSilence, slowestPage } from '../../timings.ts';

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
export type Standing = 'moves' | 'perhaps' | 'stands';

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
