/**
 * A job of ours at a spooler, as `spooler-vigil.ts` guards it; and whether a job after a return is still the same
 * printing.
 */
import { milliseconds, seconds } from '../../../core/duration.ts';
import type { PrinterJob } from '../../../domain/ports/printing.ts';
import type { JobSight } from '../job/job-sight.ts';
import { leastIdleLimit } from '../../timings.ts';
import type { Absence } from './spooler-link.ts';

export interface Guarded {
  readonly job: PrinterJob;
  /** Aborted with the problem that describes the fault. */
  readonly stopped: AbortController;
  /** time-at-processing, and the monotonic time at which it was first seen. */
  begun?: { readonly at: number; readonly seenAt: number };
  /** The spooler has gone since, and the job was not checked yet. */
  isLost: boolean;
}

/** CUPS gives the time of beginning in whole seconds. */
const tick = seconds(1);

/**
 * If the job was seen being printed for longer than one tick, its time of beginning decides. Otherwise an end of the
 * connection counts as a restart, unless the connection may have been idle too long.
 */
export function isAnother(
  seen: JobSight,
  { begun }: Guarded,
  { since, stood, wasRefused }: Absence,
): boolean {
  if (seen.waitsAgain) return true;
  if (begun && begun.at !== seen.begunAt) return true;
  if (begun && milliseconds(since - begun.seenAt) > tick) return false;
  return wasRefused || stood < leastIdleLimit;
}
