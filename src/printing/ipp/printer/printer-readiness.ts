/**
 * What keeps a page from coming out, by printer-state and printer-state-reasons (RFC 8011 sections 5.4.11 and 5.4.12,
 * PWG 5100.9). The state decides: `media-empty` is one tray of several (apple/cups#5776), or a bypass tray that nobody
 * ever fills (apple/cups#4656), at a printer that is idle and prints; then the reason is a remark. It hinders where the
 * printer is `stopped`, where it takes no jobs while it does nothing, where no tray has paper, and where a job of ours
 * stands. Which reasons hinder in every state, and which never do, says `domain/problem/printer-reasons.ts`.
 */
import { hinders, isAboutPaper, withdraws } from '../../../domain/problem/printer-reasons.ts';
import type { PaperTrays } from './paper-trays.ts';
import { areAllEmpty } from './paper-trays.ts';

interface Condition {
  /** `undefined`: it tells none, and there are its reasons alone. */
  readonly state: 'idle' | 'processing' | 'stopped' | undefined;
  readonly stateReasons: readonly string[];
  readonly acceptingJobs: boolean;
  readonly trays: PaperTrays;
}

/** In the printer's own words. */
export interface Readiness {
  /** What must be mended before it prints; empty when it is ready. */
  readonly obstacles: readonly string[];
  /** What would hinder it if it said that it stands still. */
  readonly remarks: readonly string[];
}

export function readinessOf({ state, stateReasons, acceptingJobs, trays }: Condition): Readiness {
  const standsStill = state === undefined || state === 'stopped' || (state === 'idle' && !acceptingJobs);
  const areNone = areAllEmpty(trays);
  const obstacles = stateReasons.filter(
    (reason) =>
      (standsStill ? hinders(reason) : withdraws(reason)) ||
      // A mere report of one empty tray beside a full one; nothing to print on when all are.
      (areNone && isAboutPaper(reason)),
  );
  if (state === 'stopped' && obstacles.length === 0) {
    return { obstacles: stateReasons.length > 0 ? stateReasons : ['stopped'], remarks: [] };
  }
  const remarks = stateReasons.filter((reason) => hinders(reason) && !obstacles.includes(reason));
  return { obstacles, remarks };
}

/** The same of a printer in which a job of ours stands: now it is known what the reasons are about. */
export const whereAJobStands = ({ obstacles, remarks }: Readiness): Readiness => ({
  obstacles: [...obstacles, ...remarks],
  remarks: [],
});
