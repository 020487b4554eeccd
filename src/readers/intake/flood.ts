/**
 * Frames that no person can be the cause of: a stuck key, a ghost, a machine at the other end of the wire. Pure: the
 * moment of each frame is an argument. A badge that lies on a reader is read some twenty times a second, and is none.
 */
import { milliseconds } from '../../core/duration.ts';

const window = milliseconds(1000);
const mostInWindow = 100;
/** A flood is over when nothing has come for so long. */
export const floodEndsAfter = milliseconds(1000);

export interface FloodGate {
  /** Whether the frame of this moment is one of a flood. `at` is monotonic, in milliseconds. */
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
