/** The service's wishes for a terminal, by its serial number (TerminalConfig of the spec). A missing wish is absent. */
export interface TerminalConfig {
  /** `services.print.enabled`. */
  readonly printEnabled?: boolean | undefined;
  /** Offer to enrol a card with a one-time password (src/cloud/README.md 6). */
  readonly oneTimePasswordEnrollment?: boolean | undefined;
  /** Hide the other ways to log in. */
  readonly cardOnlyAuthentication?: boolean | undefined;
  readonly shortIdAuthentication?: boolean | undefined;
  /** Write everything that this terminal does to the log. */
  readonly developerLogEnabled?: boolean | undefined;
}
