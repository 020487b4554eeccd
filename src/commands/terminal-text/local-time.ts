/** Moments in the local time of this machine. */
import { isoWithOffset, parseInstant } from '../../core/clock.ts';

/** `2026-11-22 10:15:03` */
export function localTime(instant: string): string {
  const wall = parseInstant(instant);
  return wall === undefined ? instant : isoWithOffset(wall).slice(0, 19).replace('T', ' ');
}
