/**
 * Everything that can go wrong, as a closed list. Each code has a sentence for the person at the printer, an advice for
 * the operator, and whether trying again can help.
 */
import { documentProblemKinds } from './document-problem-kinds.ts';
import { fleetProblemKinds } from './fleet-problem-kinds.ts';
import { printerProblemKinds } from './printer-problem-kinds.ts';
import type { ProblemKind } from './problem-kind.ts';
import { kind } from './problem-kind.ts';
import { problemSentences } from './problem-sentences.ts';

export const problemKinds = {
  // The cloud, by the classifier of INVARIANTS.md B.3.
  'cloud-unreachable': kind(
    'later',
    problemSentences.serviceAway,
    'Check the network, DNS, the proxy and the certificate of the print service.',
  ),
  'cloud-busy': kind(
    'later',
    problemSentences.serviceBusy,
    'The service answered 408, 425, 429 or 5xx. Platen tries again automatically.',
  ),
  'cloud-protocol': kind(
    'later',
    'The print service gave an answer that Platen does not understand.',
    'The answer was incomplete, malformed, too large or a redirect. Check for a proxy or a captive portal between here and the service.',
  ),
  'cloud-denied': kind(
    'after-repair',
    problemSentences.serviceRefused,
    'The service refused the API key or this terminal. Check the key, its permissions, and whether the terminal is still trusted.',
  ),
  'cloud-rejected': kind(
    'never',
    problemSentences.serviceRefused,
    'The service answered with a 4xx error. Trying again does not help.',
  ),
  'cloud-not-found': kind('never', 'The print service cannot find it.', 'The service answered 404.'),
  'cloud-feature-off': kind(
    'after-repair',
    problemSentences.featureOff,
    'The service answered 405 or 501. The feature is off for this account.',
  ),
  'device-token-refused': kind(
    'later',
    problemSentences.terminalSigningIn,
    'The service refused the device token. Platen renews it automatically.',
  ),
  'user-token-refused': kind(
    'never',
    problemSentences.cardAgain,
    'The service no longer accepts the token of this user.',
  ),
  'login-refused': kind(
    'never',
    problemSentences.loginRefused,
    'Check the card and the user in the print service.',
  ),
  'login-locked': kind(
    'later',
    problemSentences.loginRefused,
    'The service refused too many sign-ins. After 5 in 10 minutes the person must wait; after 20 in a minute the terminal must wait. Perhaps somebody is guessing.',
  ),
  'login-unanswered': kind(
    'later',
    problemSentences.loginUnanswered,
    'The answer to a sign-in with a password was lost. Platen does not send the password again, because a one-time password works only once.',
  ),
  'terminal-not-authorized': kind(
    'later',
    'This terminal is not signed in yet.',
    'An administrator must approve this terminal in the print service.',
  ),
  'terminal-starting': kind(
    'later',
    'This terminal is starting. One moment, please.',
    'The agent has just started, and is signing in to the print service. If this lasts, see platen status.',
  ),
  // Enrollment: states that need a person (INVARIANTS.md I7).
  'registration-refused': kind(
    'after-repair',
    'This terminal was refused.',
    'The service refused the registration (access_denied or duplicate_client_id).',
  ),
  'api-key-refused': kind(
    'after-repair',
    'This terminal was refused.',
    'The API key is wrong, expired, disabled, or not allowed from this address.',
  ),
  'device-key-refused': kind(
    'after-repair',
    'This terminal was refused.',
    'The service does not accept the signature of this device. Delete the endpoint there, or restore the state directory.',
  ),
  'trust-withdrawn': kind(
    'after-repair',
    'This terminal is no longer trusted.',
    'Trust this endpoint again in the print service.',
  ),
  'registration-faulty': kind(
    'after-repair',
    'This terminal cannot sign in.',
    'The service says that the registration request is wrong. Compare the versions of Platen and the service.',
  ),
  'cards-owed': kind(
    'later',
    'Some of your cards are missing. They come back when you sign in.',
    'A person dropped a lost card, but Platen could not finish this at the service. Platen gives the other cards of the person back at the next sign-in at this gateway. If no card is left, the person can sign in with a password or an ID number. Platen tries this for 30 days in which it runs. platen logs shows when it is done. The service shows the person with this id.',
  ),
  ...documentProblemKinds,
  ...fleetProblemKinds,
  'guest-refused': kind(
    'after-repair',
    'This guest cannot be let in.',
    'The guest has no access. The page guests.md of the documentation lists the permissions that the service must give.',
  ),
  'guest-not-ended': kind(
    'later',
    'A guest could not be signed off.',
    'The time of a guest is over, but the user is still in the service. Platen tries again automatically. platen guest list shows the user. If this lasts, delete the user in the service.',
  ),
  'balance-insufficient': kind(
    'never',
    problemSentences.balanceLow,
    'The service says that the balance is lower than the cost.',
  ),
  'balance-unknown': kind(
    'later',
    problemSentences.balanceUnknown,
    'The service did not tell the balance. Platen refuses the print, because this account charges for prints or balance.onError is deny.',
  ),
  ...printerProblemKinds,
  // This machine.
  internal: kind(
    'later',
    problemSentences.ownFault,
    'This is a bug in Platen, not a fault of the service. The log has the details. Send a support bundle.',
  ),
  'reader-unavailable': kind(
    'later',
    problemSentences.readerAway,
    'Check the cable and the path of the reader. Platen opens it again automatically.',
  ),
  'reader-floods': kind(
    'later',
    problemSentences.readerAway,
    'The reader sends more than a hundred numbers a second. Check for a stuck key or a card on it, or replace it.',
  ),
  'reader-card-left': kind(
    'after-repair',
    problemSentences.cardLeft,
    'The reader has read the same card for minutes. Platen ignores this card now. Take it off the reader.',
  ),
  'reader-stuck-key': kind(
    'later',
    'The card reader may not work.',
    'A key of the reader has been down for more than 5 s. Remove any object that lies on it, or unplug the reader and plug it in again.',
  ),
  'reader-silent': kind(
    'later',
    'The card reader may not work.',
    'The reader read no card for `silentAfterHours`. Hold a card to the reader. If nothing happens, unplug the reader and plug it in again.',
  ),
  'prompt-unavailable': kind(
    'later',
    'This keyboard is not available.',
    'Check `prompt` of this terminal. Does the device exist? May Platen read and write it? Platen opens it again automatically.',
  ),
  'card-not-convertible': kind(
    'never',
    problemSentences.cardUnreadable,
    'The card rule does not fit this number. Try the rule with `platen card convert`. To find a rule that fits, use `platen card learn`.',
  ),
  'card-shape-changed': kind(
    'after-repair',
    'Your card may not be recognised here.',
    'The numbers of this reader have a new form. Was the reader replaced or reconfigured? Change it back, or correct card.rule.',
  ),
  'output-port-unknown': kind(
    'after-repair',
    problemSentences.notSetUp,
    'No output port in the service has this serial number or address.',
  ),
  'serial-number-wrong': kind(
    'after-repair',
    problemSentences.notSetUp,
    'One of the two numbers is wrong. Correct serialNumber of this terminal and run: systemctl reload platen. Or correct the output port in the service. With a wrong number the service finds no terminal config.',
  ),
  'terminal-disabled': kind(
    'after-repair',
    problemSentences.outOfService,
    'The output port is not active, or printing is off in its terminal config. Switch it on in the print service.',
  ),
  'spool-failed': kind(
    'later',
    'The terminal could not store this document.',
    'The spool file could not be read or written. Check the disk of the state directory.',
  ),
  'spool-full': kind('later', problemSentences.noRoom, 'Free some space on the disk of the state directory.'),
  'disk-filling': kind(
    'later',
    'The terminal has little room for documents.',
    'Free some space on the disk of the state directory. When the disk is full, Platen refuses documents and cannot record prints.',
  ),
  'store-refused': kind(
    'later',
    problemSentences.cannotRecord,
    'The state directory is full or read-only. Platen prints nothing until it can write there again.',
  ),
  'store-failed': kind(
    'after-repair',
    problemSentences.restarting,
    'The state directory could not be read or written. The agent stops now and recovers at its next start. Check the disk.',
  ),
  'ledger-quarantined': kind(
    'after-repair',
    problemSentences.mayHavePrintedBefore,
    'The ledger was damaged, and Platen moved it to another folder. Until you fix this, Platen asks people before each print. Check the disk, move the folder in this record to another place, and restart the agent.',
  ),
  'safe-mode': kind(
    'later',
    problemSentences.documentSetAside,
    'The agent crashed several times. Find the cause with journalctl -u platen, and send a support bundle.',
  ),
  'document-set-aside': kind(
    'later',
    problemSentences.documentSetAside,
    'The agent crashed twice in a day while it worked on this document. Find the cause with journalctl -u platen, and send a support bundle.',
  ),
  'outbox-filling': kind(
    'later',
    'The terminal will soon be unable to record prints.',
    'Too many history records wait for the service. When the outbox is full, Platen prints nothing. Find the reason with platen outbox list.',
  ),
  'dead-letter-unknown': kind(
    'never',
    'There is no such record.',
    'Give the id of one dead letter, or its first characters. platen outbox list shows them.',
  ),
  'already-running': kind(
    'after-repair',
    'The terminal is running already.',
    'Another Platen uses this state directory. Stop it, or give this Platen its own stateDir.',
  ),
  'state-unusable': kind(
    'after-repair',
    'The terminal cannot start.',
    'The state directory cannot be created, read or written. Check its owner, its mode and the disk.',
  ),
  'state-older': kind(
    'after-repair',
    problemSentences.mayHavePrintedBefore,
    'Perhaps somebody restored an older copy of the state directory. It does not know the newest prints, so a document may print a second time. Look into the history of the print service before you print a document again. If other programs print at this output port, the records may be theirs. Platen asks again at its next start.',
  ),
  'state-newer': kind(
    'after-repair',
    'The terminal cannot start.',
    'A newer Platen has written the database. Install that version again.',
  ),
  'config-invalid': kind(
    'after-repair',
    'The terminal is not set up.',
    'Correct the configuration file. `platen check` shows where.',
  ),
  'clock-doubtful': kind(
    'after-repair',
    'The terminal may have the wrong date.',
    'The clocks of this computer and the print service are more than a day apart. Set the wrong clock, on this computer with: timedatectl set-ntp true.',
  ),
  'config-not-reloaded': kind(
    'after-repair',
    'The terminal still uses its earlier settings.',
    'The changed configuration has a mistake, so Platen still uses the earlier configuration. Correct the file (`platen check` shows where), then run: systemctl reload platen.',
  ),
  'config-restart-needed': kind(
    'after-repair',
    'The terminal still uses its earlier settings.',
    'Some changed keys need a restart. When nobody is printing, run: systemctl restart platen.',
  ),
  'address-not-listed': kind(
    'after-repair',
    'The terminal cannot reach everything it was set up for.',
    'platen.service allows only listed addresses, but the configuration has other addresses. Run platen init; it writes the list again.',
  ),
  'notify-unreachable': kind(
    'later',
    'Nobody is told when something goes wrong here.',
    'A receiver of `notify` does not accept messages. Its name and the cause are in the log. To try all receivers, run: platen notify test.',
  ),
  'port-taken': kind(
    'after-repair',
    'The terminal cannot start.',
    'Another program uses this address. Change kiosk.listen or operations.listen. For a simulator, change --port.',
  ),
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof problemKinds;
