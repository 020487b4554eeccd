/**
 * How long a printer may take no byte, and how long a job that it holds may be silent (contract, section 3, "How long a job
 * may stand"): most printers count their sheets late or never, and a job that is cancelled because it printed slowly is no
 * service to anybody.
 */
import type { ExpectedOutput } from '../domain/release.ts';
import type { Duration } from '../core/duration.ts';
import { milliseconds, seconds } from '../core/duration.ts';
import { firstByteLimit, nextByteLimit, silentLimit, silentPage } from './timings.ts';

/** `stallSeconds` of the configuration. */
export type ByteStall = 'auto' | Duration;

/** Of the configuration. */
export const byteStallOf = ({ stallSeconds }: { readonly stallSeconds: 'auto' | number }): ByteStall =>
  stallSeconds === 'auto' ? 'auto' : seconds(stallSeconds);

/** Without a byte that the printer takes. */
export function bytePatience(stall: ByteStall, { hasTaken }: { readonly hasTaken: boolean }): Duration {
  if (stall !== 'auto') return stall;
  return hasTaken ? nextByteLimit : firstByteLimit;
}

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
