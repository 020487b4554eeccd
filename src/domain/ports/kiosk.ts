/** What the kiosk keeps over restarts, so that its browsers are let in, and stay in (INVARIANTS.md D11, T03). */
import type { Secret } from '../../core/secret.ts';

export interface KioskSecrets {
  /** Whoever can read its file may open the page that sends commands; once. */
  launch(): Secret;
  /**
   * It is spent: there is another one, and this is the mark of the one pass that the terminal has from now on. Throws
   * `store-refused`, and the pass before is still good; or `store-failed`.
   */
  spend(terminal: string, mark: string): void;
  /** Of the pass that the terminal's last launch gave. */
  markOf(terminal: string): string | undefined;
}
