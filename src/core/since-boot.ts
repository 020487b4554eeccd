/**
 * The time since the machine started, without asking the system each time: its figure is a file to be opened (proc_uptime(5)),
 * and a release wants it some twenty times. Between two looks the monotonic time tells. That one stands still while the
 * machine sleeps, and the wall clock does not; whatever moves the two apart, a sleep or a correction, is a reason to look.
 */

export interface Faces {
  /** Each in milliseconds. */
  wall(): number;
  monotonic(): number;
  /** In hundredths of a second. */
  uptime(): number;
}

/** Milliseconds: the wall clock is read in whole ones, and not in the same moment. */
const apart = 10;

/** Never runs backwards. */
export function createSinceBoot({ wall, monotonic, uptime }: Faces): () => number {
  let gap = Number.NaN;
  let start = 0;
  let latest = 0;
  return () => {
    const now = monotonic();
    const gapNow = wall() - now;
    // Not a number at first, and nothing is within it.
    if (!(Math.abs(gapNow - gap) < apart)) {
      gap = gapNow;
      start = uptime() - monotonic();
    }
    latest = Math.max(latest, start + now);
    return latest;
  };
}
