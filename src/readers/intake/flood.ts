/**
 * Detects frames that no person can cause: a stuck key, a ghost card, a machine at the other end of the wire. Pure: the
 * caller passes the time of each frame. A badge on a reader is read about twenty times a second, which is not a flood.
 */
import { milliseconds } from '../../core/duration.ts';

const window = milliseconds(1000);
const mostInWindow = 100;
/** A flood is over when no frame has come for so long. */
export const floodEndsAfter = milliseconds(1000);

export interface FloodGate {
  /** Whether the frame at this time belongs to a flood. `at` is monotonic, in milliseconds. */
  isFlood(at: number): boolean;
}

export function createFloodGate(): FloodGate {
  let isFlooded = false;
  let windowStart = Number.NEGATIVE_INFINITY;
  let inWindow = 0;
  let lastAt = Number.NEGATIVE_INFINITY;

  return {
    isFlood(at) {
      if (at - lastAt >= floodEndsAfter) isFlooded = false;
      lastAt = at;
      if (at - windowStart >= window) {
        windowStart = at;
        inWindow = 0;
      }
      inWindow += 1;
      isFlooded ||= inWindow > mostInWindow;
      return isFlooded;
    },
  };
}
