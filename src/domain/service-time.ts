/**
 * The service's clock beside ours (src/cloud/README.md 12, row 40): what is recorded bears the time of ours, unless that
 * is known to have been wrong.
 */
import type { Clock } from '../core/clock.ts';
import { minutes } from '../core/duration.ts';

export interface ServiceTime {
  /** What the service's clock showed at that moment (`Clock.sinceBoot`); `undefined` until two of its answers agreed. */
  at(sinceBoot: number): number | undefined;
}

/** Far more than an answer is on its way, and less than anybody looks for a page by. */
const tolerance = minutes(1);

/** `ours`: what our wall clock told at that moment. */
export function knownTime(ours: { wall: number; sinceBoot: number }, service: ServiceTime): number {
  const there = service.at(ours.sinceBoot);
  return there !== undefined && Math.abs(there - ours.wall) > tolerance ? there : ours.wall;
}

export const knownTimeNow = (clock: Clock, service: ServiceTime): number =>
  knownTime({ wall: clock.now(), sinceBoot: clock.sinceBoot() }, service);
