/**
 * Everything that can go wrong, as a closed list. Each code has a sentence for the person at the printer, an advice
 * for the operator, and whether trying again can help.
 */
import { documentProblemKinds } from './document-problem-kinds.ts';
import { printerProblemKinds } from './printer-problem-kinds.ts';
import type { ProblemKind } from './problem-kind.ts';
import { kind } from './problem-kind.ts';

/** The same for whatever kept a person out, so that nobody learns by it how near a guess was (T09). */
const notSignedIn = 'You could not be signed in. Please try again, or ask for help.';

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
  'login-refused': kind('never', notSignedIn, 'Look at the card and the user in the print service.'),
  'login-locked': kind(
    'later',
    notSignedIn,
    'Too many logins were refused: after 5 in 10 minutes an identity pauses, after 20 in a minute a terminal. Somebody may be guessing.',
  ),
  'login-unanswered': kind(
    'later',
    'It is not known whether you were signed in. Please try again, with a new code if it was a one-time password.',
    'The answer to a login with a password was lost; it is sent once only, because a one-time password may be spent by it.',
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
  ...documentProblemKinds,
  'balance-insufficient': kind(
    'never',
    'Your balance is too low for this document.',
    'The service says that the balance does not cover the cost.',
  ),
  'balance-unknown': kind(
    'later',
    'Your balance could not be checked.',
    'The balance could not be asked, and prints are charged here or balance.onError is deny; or the service refused the question (400).',
  ),
  ...printerProblemKinds,
  // This machine.
  internal: kind(
    'later',
    'Something went wrong in this terminal. Please try again, or ask for help.',
    'A fault of Platen itself, not of the service: the record of the log with its stack tells where. Send a support bundle.',
  ),
  'reader-unavailable': kind(
    'later',
    'The card reader is not available.',
    'Check the cable and the path of the reader; it is opened again by itself.',
  ),
  'reader-floods': kind(
    'later',
    'The card reader is not available.',
    'The reader sends more than a hundred numbers a second; look for a stuck key or badge, or replace it.',
  ),
  'reader-card-left': kind(
    'after-repair',
    'A card lies on the card reader. Please take it away.',
    'The same badge is read for minutes on end and no longer counts; take it off the reader.',
  ),
  'reader-stuck-key': kind(
    'later',
    'The card reader may not work.',
    'A key of the reader has been down for more than 5 s: take away what lies on it, or replug it.',
  ),
  'reader-silent': kind(
    'later',
    'The card reader may not work.',
    'No badge was read for `silentAfterHours`; hold one to the reader, and replug it when nothing happens.',
  ),
  'prompt-unavailable': kind(
    'later',
    'This keyboard is not available.',
    'Check `prompt` of this terminal: whether the device is there, and may be read and written; it is opened again by itself.',
  ),
  'card-not-convertible': kind(
    'never',
    'Your card is not readable here.',
    'The card rule does not fit the number read; try `platen card convert`, and `platen card learn` for a rule that does.',
  ),
  'card-shape-changed': kind(
    'after-repair',
    'Cards may not be recognised here.',
    'The numbers of this reader look otherwise than they did: was it replaced or set up anew? Set it back, or mend card.rule.',
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
  'ledger-quarantined': kind(
    'after-repair',
    'This document may have been printed already. Please look before you print it again.',
    'The ledger was damaged and set aside; every document asks before it prints. Keep the folder named in this record elsewhere, check the disk, and restart the agent: that ends it.',
  ),
  'safe-mode': kind(
    'later',
    'This document cannot be printed here at the moment.',
    'The agent crashed again and again. See journalctl -u platen for the cause, and send a support bundle.',
  ),
  'document-set-aside': kind(
    'later',
    'This document cannot be printed here at the moment.',
    'The agent crashed twice within a day while it had this document in hand. See journalctl -u platen for the cause, and send a support bundle.',
  ),
  'outbox-filling': kind(
    'later',
    'The terminal will soon be unable to record prints.',
    'Too many history records wait for the service; when the outbox is full no print is made. See why they are not taken.',
  ),
  'dead-letter-unknown': kind(
    'never',
    'There is no such record.',
    'See platen outbox list: the id, or the beginning of it, is to be that of one dead letter.',
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
  'config-not-reloaded': kind(
    'after-repair',
    'The terminal works as it was set up before.',
    'The changed configuration is wrong, and the one before stays in force. Mend the file, `platen check` tells where, and reload again: systemctl reload platen.',
  ),
  'config-restart-needed': kind(
    'after-repair',
    'The terminal works as it was set up before.',
    'Some changed keys come into force with a new start only: systemctl restart platen, when nobody prints.',
  ),
  'address-not-listed': kind(
    'after-repair',
    'The terminal cannot reach everything it was set up for.',
    'The unit lets the agent speak with listed addresses only, and the configuration names others: run platen init, which writes the list anew.',
  ),
  'port-taken': kind(
    'after-repair',
    'The terminal cannot start.',
    'Another program listens on this address; change kiosk.listen or operations.listen, of a simulator --port.',
  ),
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof problemKinds;
