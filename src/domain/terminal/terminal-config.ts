/**
 * What the service wants of a terminal, by its serial number (TerminalConfig of the spec). What is not said is absent.
 */
export interface TerminalConfig {
  /** `services.print.enabled`. */
  readonly printEnabled?: boolean | undefined;
  /** Offer to enrol a card with a one-time password (src/cloud/README.md 6). */
  readonly oneTimePasswordEnrollment?: boolean | undefined;
  /** Hide the other ways to log in. */
  readonly cardOnlyAuthentication?: boolean | undefined;
  readonly shortIdAuthentication?: boolean | undefined;
  /** Tell in the log all that this terminal does. */
  readonly developerLogEnabled?: boolean | undefined;
}
