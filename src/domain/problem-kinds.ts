/**
 * Everything that can go wrong, as a closed list. Each code has a sentence for the person at the printer, an advice
 * for the operator, and whether trying again can help.
 */
/** never: not for this item · later: the same call may work by itself · after-repair: a person must change something. */
export type Retry = 'never' | 'later' | 'after-repair';

interface ProblemKind {
  readonly retry: Retry;
  readonly person: string;
  readonly advice: string;
}

const kind = (retry: Retry, person: string, advice: string): ProblemKind => ({ retry, person, advice });

export const problemKinds = {
  // The cloud, by the classifier of reliability.md B.3.
  'cloud-unreachable': kind(
    'later',
    'The print service cannot be reached.',
    'Check the network, the name lookup, the proxy and the certificate of the print service.',
  ),
  'cloud-busy': kind(
    'later',
    'The print service is busy.',
    'The service answered 408, 425, 429 or 5xx; Platen tries again by itself.',
  ),
  'cloud-protocol': kind(
    'later',
    'The print service gave an answer that makes no sense.',
    'The answer was cut, malformed, too large or a redirect; look for a proxy or a captive portal in between.',
  ),
  'cloud-denied': kind(
    'after-repair',
    'This terminal may not do that.',
    'The service refused the API key or this terminal: check the key, its permissions and switches, and the trust.',
  ),
  'cloud-rejected': kind(
    'never',
    'The print service refused the request.',
    'The service answered with a 4xx that does not change by trying again.',
  ),
  'cloud-not-found': kind('never', 'The print service does not know it.', 'The service answered 404.'),
  'cloud-feature-off': kind(
    'after-repair',
    'This is not available here.',
    'The service answered 405 or 501: the feature is off for this account.',
  ),
  'device-token-refused': kind(
    'later',
    'This terminal is signing in again.',
    'The service refused the device token; Platen refreshes it by itself.',
  ),
  'user-token-refused': kind(
    'never',
    'Please hold your card to the reader again.',
    'The service no longer accepts the token of this user.',
  ),
  'login-refused': kind(
    'never',
    'Your card was not accepted.',
    'The service answered 401 to the login: card unknown, user expired or locked.',
  ),
  'terminal-not-authorized': kind(
    'later',
    'This terminal is not signed in yet.',
    'An administrator must approve this terminal in the print service.',
  ),
  // Enrollment: states that need a person (reliability.md I7).
  'registration-refused': kind(
    'after-repair',
    'This terminal was refused.',
    'The service refused the registration: access_denied or duplicate_client_id.',
  ),
  'api-key-refused': kind(
    'after-repair',
    'This terminal was refused.',
    'The API key is wrong, expired, disabled, or not allowed from this address.',
  ),
  'device-key-refused': kind(
    'after-repair',
    'This terminal was refused.',
    'The service does not accept the signature of this device; delete the endpoint there, or restore the state directory.',
  ),
  'trust-withdrawn': kind(
    'after-repair',
    'This terminal is no longer trusted.',
    'Trust this endpoint again in the print service.',
  ),
  'registration-faulty': kind(
    'after-repair',
    'This terminal cannot sign in.',
    'The service called the registration request faulty; compare the versions of Platen and the service.',
  ),
  // Documents.
  'document-gone': kind(
    'never',
    'This document is no longer there.',
    'The document vanished between list and download.',
  ),
  'document-cut': kind(
    'later',
    'This document could not be fetched whole.',
    'The download ended early; nothing was printed.',
  ),
  'document-too-large': kind(
    'never',
    'This document is too large for this terminal.',
    'The document is above the limit of 2 GiB or the free space.',
  ),
  'document-not-printable': kind(
    'never',
    'This document cannot be printed here.',
    'The printer does not take the format of this document.',
  ),
  'document-beyond-limits': kind(
    'never',
    'This document is too long to be printed here.',
    'More than 999 copies or 5000 pages.',
  ),
  'balance-insufficient': kind(
    'never',
    'Your balance is too low for this document.',
    'The service says that the balance does not cover the cost.',
  ),
  'balance-unknown': kind(
    'later',
    'Your balance could not be checked.',
    'The balance could not be asked, and prints are charged here or balance.onError is deny.',
  ),
  // Printers.
  'printer-unreachable': kind(
    'later',
    'The printer cannot be reached.',
    'Check power, network and address of the printer.',
  ),
  'printer-not-ready': kind(
    'later',
    'The printer needs attention.',
    'See the printer-state-reasons in this record.',
  ),
  'printer-busy': kind(
    'later',
    'The printer is busy. Please try again in a moment.',
    'The printer answered busy for the whole waiting time.',
  ),
  'printer-refused-job': kind(
    'never',
    'The printer refused this document.',
    'Before any byte was sent: the printer answered with an IPP client error, or cannot do what was asked for.',
  ),
  'printer-aborted-job': kind(
    'later',
    'The printer gave this document up.',
    'The printer reported the job as aborted or canceled.',
  ),
  'printer-protocol': kind(
    'later',
    'The printer gave an answer that makes no sense.',
    'The answer is not valid IPP; look for a proxy in between, update the firmware.',
  ),
  'printer-address-refused': kind(
    'after-repair',
    'The printer cannot be used.',
    'The service named a printer outside printerNetwork; mend the output port there, or allow the network here.',
  ),
  'printer-unsupported': kind(
    'after-repair',
    'The printer cannot be used.',
    'The output port names a print protocol this version does not speak; choose IPP or raw TCP there, or set printer.uri here.',
  ),
  'spooler-policy': kind(
    'after-repair',
    'This printer may print a document again by itself.',
    'Set the error policy of the queue to abort-job.',
  ),
  'printer-stalled': kind(
    'later',
    'The printer stopped while printing. Please look at the tray.',
    'No progress for stallSeconds; the job was cancelled, or the connection broken off.',
  ),
  'transfer-broken': kind(
    'never',
    'We could not confirm this print. Please look at the tray.',
    'The connection to the printer broke while the document was on its way.',
  ),
  'outcome-unknown': kind(
    'never',
    'We could not confirm this print. Please look at the tray.',
    'The printer could not say what became of the job.',
  ),
  'release-abandoned': kind(
    'later',
    'The terminal was stopped before your document was printed.',
    'The agent ended before the first byte went out; the document still waits.',
  ),
  // This machine.
  'reader-unavailable': kind(
    'later',
    'The card reader is not available.',
    'Check the cable and the path of the reader; it is opened again by itself.',
  ),
  'output-port-unknown': kind(
    'after-repair',
    'This terminal is not fully set up.',
    'No output port in the service has this serial number or address.',
  ),
  'terminal-disabled': kind(
    'after-repair',
    'This terminal is out of service.',
    'The output port is not active, or its terminal config has printing off; switch it on in the print service.',
  ),
  'spool-failed': kind(
    'later',
    'The terminal could not keep this document.',
    'Reading or writing the spool file failed; check the disk of the state directory.',
  ),
  'spool-full': kind(
    'later',
    'The terminal has no room for this document.',
    'Make room on the disk of the state directory.',
  ),
  'store-refused': kind(
    'later',
    'The terminal cannot record prints at the moment.',
    'The state directory is full or read-only; no print is made until it can be written again.',
  ),
  'store-failed': kind(
    'after-repair',
    'The terminal is restarting.',
    'Reading or writing the state directory failed; the agent ends and recovers at its next start. Check the disk.',
  ),
  'already-running': kind(
    'after-repair',
    'The terminal is running already.',
    'Another Platen owns this state directory; stop it, or give this one its own stateDir.',
  ),
  'state-unusable': kind(
    'after-repair',
    'The terminal cannot start.',
    'The state directory cannot be created, read or written; check owner, mode and disk.',
  ),
  'state-newer': kind(
    'after-repair',
    'The terminal cannot start.',
    'The database was written by a newer Platen; install that version again.',
  ),
  'config-invalid': kind(
    'after-repair',
    'The terminal is not set up.',
    'Mend the configuration file; `platen check` tells where.',
  ),
  'port-taken': kind(
    'after-repair',
    'The terminal cannot start.',
    'Another program listens on this address; change kiosk.listen or operations.listen.',
  ),
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof problemKinds;
