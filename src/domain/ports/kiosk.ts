/**
 * The state that the kiosk keeps over restarts, so that its browsers are admitted, and stay admitted (INVARIANTS.md
 * D11, T03).
 */
import type { Secret } from '../../core/secret.ts';

export interface KioskSecrets {
  /** A caller who can read its file may open the page that sends commands, once. */
  launch(): Secret;
  /**
   * The launch secret is spent and replaced. `mark` belongs to the terminal's new pass, from now on its only one.
   * Throws `store-refused`, and the former pass stays valid; or `store-failed`.
   */
  spend(terminal: string, mark: string): void;
  /** The mark of the pass from the terminal's last launch. */
  markOf(terminal: string): string | undefined;
}
