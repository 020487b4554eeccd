/** A job of ours at a spooler, as `spooler-vigil.ts` guards it; and whether what comes back is the same printing of it. */
import { milliseconds, seconds } from '../../../core/duration.ts';
import type { PrinterJob } from '../../../domain/ports/printing.ts';
import type { JobSight } from '../job/job-sight.ts';
import { leastIdleLimit } from '../../timings.ts';
import type { Absence } from './spooler-link.ts';

export interface Guarded {
  readonly job: PrinterJob;
  /** Aborted by the problem that tells of it. */
  readonly stopped: AbortController;
  /** time-at-processing, and the monotonic time at which it was first seen. */
  begun?: { readonly at: number; readonly seenAt: number };
  /** The spooler has gone since, and nobody has looked what it makes of the job. */
  isLost: boolean;
}

/** CUPS tells by the second when it began a job. */
const tick = seconds(1);

/**
 * Where it was seen being printed for longer than that, its time of beginning tells. Where not, an end of the
 * connection is taken for a restart, unless it may have been idle for too long.
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
