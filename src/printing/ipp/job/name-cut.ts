/**
 * Learns where a printer cuts job-names, so that the next one has the release's id in front (see `jobName`). A character
 * that it cut in two is not told any more, and not counted.
 */
import type { JobMarks, PrinterJob } from '../../../domain/ports/printing.ts';
import { longestName } from '../../../domain/release.ts';
import type { Acquaintance } from '../wire/acquaintance.ts';

/** Fewer octets are a name of the printer's own that ours happens to begin with. */
const shortestCut = 16;

export function learnNameCut(
  acquaintance: Pick<Acquaintance, 'habits' | 'learn'>,
  { jobName }: PrinterJob,
  { shownName }: JobMarks,
): void {
  const { cutsNamesAt: cutBefore = longestName } = acquaintance.habits();
  // Longer than what it cut before, and whole: new firmware, or it was a name of its own.
  if (shownName === jobName && Buffer.byteLength(jobName) > cutBefore)
    acquaintance.learn({ cutsNamesAt: undefined });
  const whole = shownName?.replace(/\uFFFD+$/u, '');
  if (whole === undefined || whole === jobName || !jobName.startsWith(whole)) return;
  const cutsNamesAt = Buffer.byteLength(whole);
  if (cutsNamesAt >= shortestCut && acquaintance.habits().cutsNamesAt !== cutsNamesAt)
    acquaintance.learn({ cutsNamesAt });
}
