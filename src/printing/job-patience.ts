/**
 * How long a printer may take no byte, and how long a job in it may show no progress (contract, section 3, "How long a
 * job may stand"). Most printers count their sheets late or never, and to cancel a job because it prints slowly helps
 * no user.
 */
import type { ExpectedOutput } from '../domain/release.ts';
import type { Duration } from '../core/duration.ts';
import { milliseconds, seconds } from '../core/duration.ts';
import { firstByteLimit, nextByteLimit, silentLimit, silentPage } from './timings.ts';

/** `stallSeconds` of the configuration. */
export type ByteStall = 'auto' | Duration;

/** Takes the configuration. */
export const byteStallOf = ({ stallSeconds }: { readonly stallSeconds: 'auto' | number }): ByteStall =>
  stallSeconds === 'auto' ? 'auto' : seconds(stallSeconds);

/** The time without a byte that the printer takes. */
export function bytePatience(stall: ByteStall, { hasTaken }: { readonly hasTaken: boolean }): Duration {
  if (stall !== 'auto') return stall;
  return hasTaken ? nextByteLimit : firstByteLimit;
}

/** `jobStallSeconds` of the configuration. */
export type JobStall = 'auto' | Duration;

/** Takes the configuration. */
export const jobStallOf = ({ jobStallSeconds }: { readonly jobStallSeconds: 'auto' | number }): JobStall =>
  jobStallSeconds === 'auto' ? 'auto' : seconds(jobStallSeconds);

/** The time without any progress, on a printer that works and names no obstacle. */
export const patienceFor = (stall: JobStall, expected: ExpectedOutput | undefined): Duration =>
  stall === 'auto'
    ? milliseconds(silentLimit + silentPage * (expected ? expected.pages * expected.copies : 0))
    : stall;
