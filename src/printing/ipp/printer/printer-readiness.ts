/**
 * What keeps a page from coming out, by printer-state and printer-state-reasons (RFC 8011 sections 5.4.11 and 5.4.12,
 * PWG 5100.9). The state decides. At an idle printer that prints, `media-empty` is a remark. It may be one tray of
 * several (apple/cups#5776) or a bypass tray that is never filled (apple/cups#4656). It is an obstacle if the printer
 * is `stopped`, if it is idle but takes no jobs, if all trays are empty, or if a job of ours stands.
 * `domain/problem/printer-reasons.ts` lists the reasons that are obstacles in every state, and those that never are.
 */
import { hinders, isAboutPaper, withdraws } from '../../../domain/problem/printer-reasons.ts';
import type { PaperTrays } from './paper-trays.ts';
import { areAllEmpty } from './paper-trays.ts';

interface Condition {
  /** `undefined`: the printer tells no state, so only its reasons count. */
  readonly state: 'idle' | 'processing' | 'stopped' | undefined;
  readonly stateReasons: readonly string[];
  readonly acceptingJobs: boolean;
  readonly trays: PaperTrays;
}

/** In the printer's own words. */
export interface Readiness {
  /** A person must remedy these before it prints; empty when it is ready. */
  readonly obstacles: readonly string[];
  /** These would be obstacles if the printer said that it stands still. */
  readonly remarks: readonly string[];
}

export function readinessOf({ state, stateReasons, acceptingJobs, trays }: Condition): Readiness {
  const standsStill = state === undefined || state === 'stopped' || (state === 'idle' && !acceptingJobs);
  const areNone = areAllEmpty(trays);
  const obstacles = stateReasons.filter(
    (reason) =>
      (standsStill ? hinders(reason) : withdraws(reason)) ||
      // One empty tray beside a full one is only a remark. If all are empty, there is nothing to print on.
      (areNone && isAboutPaper(reason)),
  );
  if (state === 'stopped' && obstacles.length === 0) {
    return { obstacles: stateReasons.length > 0 ? stateReasons : ['stopped'], remarks: [] };
  }
  const remarks = stateReasons.filter((reason) => hinders(reason) && !obstacles.includes(reason));
  return { obstacles, remarks };
}

/** For a printer in which a job of ours stands: then the remarks are the cause. */
export const whereAJobStands = ({ obstacles, remarks }: Readiness): Readiness => ({
  obstacles: [...obstacles, ...remarks],
  remarks: [],
});
