/**
 * A raw printer that breaks the connection when it has everything: that proves nothing, but people tell what lies in the
 * tray. Where they have found it there again and again, the setting is proposed that takes the break for an end.
 */
import { openReleaseRegister } from '../../../store/ledger/release-register.ts';

export interface ResetEnds {
  readonly stateDir: string;
  /** Of the printer. */
  readonly uri: string;
  readonly resetIsEnd: boolean;
}

/** Fewer may be chance. */
const often = 3;

/** A clause; `undefined`: there is nothing to propose. */
export function resetProposal({ stateDir, uri, resetIsEnd }: ResetEnds): string | undefined {
  const found = resetIsEnd ? 0 : foundInTray(stateDir, uri);
  return found < often
    ? undefined
    : `breaks the connection at the end, and people found ${found} such prints in the tray: if no page is missing, set printer.resetIsEnd: true`;
}

function foundInTray(stateDir: string, uri: string): number {
  try {
    using register = openReleaseRegister({ stateDir });
    return register.foundInTray(uri, 'ended-by-reset');
  } catch {
    // Of the ledger there is a line of its own.
    return 0;
  }
}
