/**
 * Whether a job that does not move stands until somebody mends its printer (contract, section 3, "How long a job may
 * stand"). A reason that came up since the job was made tells it at once. One that the printer named before, while it was
 * idle, is about a tray that was empty all along: a printer that is at work in spite of it is given the time of a slow
 * one, because many count their pages late or never.
 */
import type { Duration } from '../../../core/duration.ts';
import { milliseconds } from '../../../core/duration.ts';
import type { ExpectedOutput, JobReport } from '../../../domain/release.ts';
import { doubtfulSilence, slowestPage } from '../../timings.ts';

/** What the printer says of itself while a job is followed. */
export interface PrinterLook {
  /** printer-state-reasons that keep a page from coming out. */
  readonly obstacles: readonly string[];
  /** Those that may. */
  readonly remarks: readonly string[];
  readonly state: 'idle' | 'processing' | 'stopped';
  /** printer-up-time, seconds. */
  readonly upTime: number | undefined;
}

/** `perhaps`: who is there is told what the printer says; nothing is concluded from it. */
export type Standing = 'moves' | 'perhaps' | 'stands';

export interface UnmovedJob {
  readonly state: JobReport['state'];
  /** `undefined`: it has moved since the last look at the printer. */
  readonly printer: PrinterLook | undefined;
  /** What the printer named when it was last idle before the job. */
  readonly before: readonly string[];
  /** Milliseconds. */
  readonly unmoved: number;
  readonly expected: ExpectedOutput | undefined;
}

export function standingOf({ state, printer, before, unmoved, expected }: UnmovedJob): Standing {
  if (state === 'processing-stopped') return 'stands';
  if (printer === undefined) return 'moves';
  if (isHindered(printer, before)) return 'stands';
  if (printer.remarks.length === 0) return 'moves';
  // What waits behind others is theirs to wait for; what an idle printer does not begin stands.
  if (state !== 'processing') return printer.state === 'idle' ? 'stands' : 'moves';
  if (unmoved < doubtfulSilence) return 'moves';
  return unmoved < patienceWithRemarks(expected) ? 'perhaps' : 'stands';
}

/** By its own word, or by one that it did not say before the job. */
export const isHindered = (
  { obstacles, remarks }: Pick<PrinterLook, 'obstacles' | 'remarks'>,
  before: readonly string[],
): boolean => obstacles.length > 0 || remarks.some((reason) => !before.includes(reason));

const patienceWithRemarks = (expected: ExpectedOutput | undefined): Duration =>
  milliseconds(doubtfulSilence + slowestPage * (expected ? expected.pages * expected.copies : 1));
