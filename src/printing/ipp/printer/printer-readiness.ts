/**
 * What keeps a page from coming out, by printer-state and printer-state-reasons (RFC 8011 sections 5.4.11 and 5.4.12,
 * PWG 5100.9). A reason may end in its severity: `-report` and `-warning` never prevent printing; `-error`, or no
 * suffix at all, goes by the table of `domain/problem/printer-reasons.ts`, because many printers leave the suffix out.
 */
import { hinders } from '../../../domain/problem/printer-reasons.ts';

interface Condition {
  readonly state: 'idle' | 'processing' | 'stopped';
  readonly stateReasons: readonly string[];
  /** `printer-input-tray`, PWG 5100.13 section 5.7.12: `…;maxcapacity=250;level=0;…`. */
  readonly inputTrays: readonly string[];
}

/** The printer's own words for what must be mended before it prints; empty when it is ready. */
export function obstaclesOf({ state, stateReasons, inputTrays }: Condition): readonly string[] {
  const areNone = areAllEmpty(inputTrays);
  // A mere report of one empty tray beside a full one; nothing to print on when all are.
  const obstacles = stateReasons.filter(
    (reason) => hinders(reason) || (areNone && reason.startsWith('media-empty')),
  );
  if (state !== 'stopped' || obstacles.length > 0) return obstacles;
  return stateReasons.length > 0 ? stateReasons : ['stopped'];
}

/** Of trays that hold something; the capacity of `auto` is unknown, for it is no tray. */
function areAllEmpty(inputTrays: readonly string[]): boolean {
  const trays = inputTrays.filter((tray) => numberOf('maxcapacity', tray) > 0);
  return trays.length > 0 && trays.every((tray) => numberOf('level', tray) === 0);
}

/** −2, the Printer MIB's "unknown", where the tray does not say. */
const numberOf = (field: string, tray: string): number =>
  Number(new RegExp(`(?:^|;)${field}=(-?\\d+)(?:;|$)`).exec(tray)?.[1] ?? -2);
