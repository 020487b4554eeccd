/**
 * The service's clock beside ours (src/cloud/README.md 12, row 40). Records have the time of our clock, unless it is
 * known to have been wrong.
 */
import type { Clock } from '../core/clock.ts';
import { minutes } from '../core/duration.ts';

export interface ServiceTime {
  /** The service's time at that moment (`Clock.sinceBoot`); `undefined` until two of its answers agreed. */
  at(sinceBoot: number): number | undefined;
}

/** Much longer than an answer takes, and shorter than the time by which a person looks for a page. */
const tolerance = minutes(1);

/** `ours`: the time of our wall clock at that moment. */
export function knownTime(ours: { wall: number; sinceBoot: number }, service: ServiceTime): number {
  const there = service.at(ours.sinceBoot);
  return there !== undefined && Math.abs(there - ours.wall) > tolerance ? there : ours.wall;
}

export const knownTimeNow = (clock: Clock, service: ServiceTime): number =>
  knownTime({ wall: clock.now(), sinceBoot: clock.sinceBoot() }, service);
