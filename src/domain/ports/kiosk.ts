/** What the kiosk keeps over restarts, so that its browser is let in, and stays in (reliability.md D11, T03). */
import type { Secret } from '../../core/secret.ts';

export interface KioskSecrets {
  /** Whoever can read its file may open the page that sends commands; once. */
  launch(): Secret;
  /** Throws `store-refused`, and the secret is as it was; or `store-failed`. */
  renewLaunch(): void;
  /** Signs the cookies of the pages. */
  readonly cookieKey: Secret;
}
