/**
 * How long a job that the printer holds may be silent (contract, section 3, "How long a job may stand"): most printers
 * count their sheets late or never, and a job that is cancelled because it printed slowly is no service to anybody.
 */
import type { ExpectedOutput } from '../domain/release.ts';
import type { Duration } from '../core/duration.ts';
import { milliseconds, seconds } from '../core/duration.ts';
import { silentLimit, silentPage } from './timings.ts';

/** `jobStallSeconds` of the configuration. */
export type JobStall = 'auto' | Duration;

/** Of the configuration. */
export const jobStallOf = ({ jobStallSeconds }: { readonly jobStallSeconds: 'auto' | number }): JobStall =>
  jobStallSeconds === 'auto' ? 'auto' : seconds(jobStallSeconds);

/** Without any progress, on a printer that works and names no obstacle. */
export const patienceFor = (stall: JobStall, expected: ExpectedOutput | undefined): Duration =>
  stall === 'auto'
    ? milliseconds(silentLimit + silentPage * (expected ? expected.pages * expected.copies : 0))
    : stall;
