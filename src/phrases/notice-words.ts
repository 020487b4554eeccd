/** The words for problems, notices, outages and needs. Each has words, and several may share them. */
import type { Notice, NoticeCode } from '../domain/terminal/notice.ts';
import type { OutageView, PrinterView } from '../domain/terminal/terminal-view.ts';
import type { MessageKey, SentenceKey } from './message.ts';

export const noticeWords: Readonly<Record<NoticeCode, MessageKey>> = {
  'cloud-unreachable': 'serviceAway',
  'cloud-busy': 'serviceBusy',
  'cloud-protocol': 'serviceBusy',
  'cloud-denied': 'serviceRefused',
  'cloud-rejected': 'serviceRefused',
  'cloud-not-found': 'serviceRefused',
  'cloud-feature-off': 'featureOff',
  'device-token-refused': 'terminalSigningIn',
  'terminal-not-authorized': 'terminalSigningIn',
  'terminal-starting': 'terminalSigningIn',
  'user-token-refused': 'cardAgain',
  // One sentence for both, so that a guesser does not learn which it was (T09).
  'login-refused': 'loginRefused',
  'login-locked': 'loginRefused',
  'login-unanswered': 'loginUnanswered',
  'pin-refused': 'pinRefused',
  'card-dropped': 'cardDropped',
  'card-not-dropped': 'cardNotDropped',
  'cards-missing': 'cardsMissing',
  'cards-owed': 'cardsMissing',
  'short-id-given': 'shortIdGiven',
  'defaults-not-kept': 'defaultsNotKept',
  'registration-refused': 'terminalRefused',
  'api-key-refused': 'terminalRefused',
  'device-key-refused': 'terminalRefused',
  'trust-withdrawn': 'terminalRefused',
  'registration-faulty': 'terminalRefused',
  'document-gone': 'documentGone',
  'document-cut': 'documentCut',
  'document-damaged': 'documentDamaged',
  'document-too-large': 'documentTooLarge',
  'document-not-printable': 'documentNotPrintable',
  'document-not-convertible': 'documentNotPrintable',
  'document-placeholder': 'documentPlaceholder',
  'document-not-as-recorded': 'documentNotAsRecorded',
  'document-set-aside': 'documentSetAside',
  'document-not-waiting': 'documentNotWaiting',
  'document-taken': 'documentTaken',
  'document-beyond-limits': 'documentTooLong',
  'balance-insufficient': 'balanceLow',
  'balance-unknown': 'balanceUnknown',
  'document-claimed': 'documentTaken',
  'claim-lost': 'notPrinted',
  'fleet-engine-away': 'cannotRecord',
  'fleet-engine-refused': 'needsRepair',
  'fleet-engine-unsteady': 'needsRepair',
  'fleet-key-differs': 'needsRepair',
  'fleet-differs': 'needsRepair',
  'fleet-member-twice': 'needsRepair',
  'fleet-name-twice': 'needsRepair',
  'fleet-member-behind': 'needsRepair',
  'fleet-terminal-elsewhere': 'outOfService',
  'fleet-terminal-differs': 'needsRepair',
  'fleet-config-refused': 'needsRepair',
  'fleet-forgot': 'othersAreAsked',
  'printer-unreachable': 'printerUnreachable',
  'printer-not-ready': 'printerAttention',
  'printer-lacks-paper': 'printerLacksPaper',
  'printer-remark': 'printerAttention',
  'printer-supply-low': 'printerAttention',
  'printer-busy': 'printerIsBusy',
  'printer-rejecting': 'printerTakesNone',
  'printer-incapable': 'printerUnusable',
  'printer-refused-job': 'printerRefused',
  'printer-limit': 'printerLimit',
  'printer-forbids': 'printerForbids',
  'printer-aborted-job': 'printerGaveUp',
  'printer-protocol': 'printerUnusable',
  'printer-address-refused': 'printerUnusable',
  'printer-unsupported': 'printerUnusable',
  'printer-denied': 'printerUnusable',
  'printer-tls-too-old': 'printerUnusable',
  'printer-tls-missing': 'printerUnusable',
  'printer-tls-wanted': 'printerUnusable',
  'printer-tls-refused': 'printerUnusable',
  'printer-certificate-refused': 'printerUnusable',
  'printer-moved': 'printerUnusable',
  'printer-path-unknown': 'printerUnusable',
  'printer-no-ipp': 'printerUnusable',
  'printer-certificate-changed': 'printerUnusable',
  'printer-certificate-expiring': 'printerAttention',
  'printer-swapped': 'printerUnusable',
  'printer-stalled': 'lookAtTray',
  'transfer-broken': 'lookAtTray',
  'ended-by-reset': 'lookAtTray',
  'outcome-unknown': 'lookAtTray',
  'print-incomplete': 'lookAtTray',
  'print-unconfirmed': 'lookAtTray',
  'spooler-policy': 'printerAttention',
  'release-abandoned': 'notPrinted',
  'converter-missing': 'needsRepair',
  'converter-unconfined': 'needsRepair',
  'safe-mode': 'documentSetAside',
  'reader-unavailable': 'readerAway',
  'reader-floods': 'readerAway',
  'reader-silent': 'readerAway',
  'reader-stuck-key': 'readerAway',
  'reader-card-left': 'cardLeft',
  'card-not-convertible': 'cardUnreadable',
  'card-shape-changed': 'cardUnreadable',
  'output-port-unknown': 'notSetUp',
  'serial-number-wrong': 'notSetUp',
  'terminal-disabled': 'outOfService',
  'spool-failed': 'noRoom',
  'spool-full': 'noRoom',
  'disk-filling': 'noRoom',
  'store-refused': 'cannotRecord',
  'store-failed': 'restarting',
  'ledger-quarantined': 'mayHavePrintedBefore',
  'outbox-filling': 'cannotRecord',
  'dead-letter-unknown': 'outOfService',
  'already-running': 'restarting',
  'state-unusable': 'outOfService',
  'state-newer': 'outOfService',
  'state-older': 'mayHavePrintedBefore',
  internal: 'ownFault',
  'clock-doubtful': 'ownFault',
  'config-invalid': 'notSetUp',
  'config-not-reloaded': 'notSetUp',
  'config-restart-needed': 'notSetUp',
  'address-not-listed': 'notSetUp',
  'notify-unreachable': 'notSetUp',
  'guest-refused': 'notSetUp',
  'guest-not-ended': 'notSetUp',
  'port-taken': 'outOfService',
  'prompt-unavailable': 'notSetUp',
  'card-registered': 'cardRegistered',
  'card-not-registered': 'cardNotRegistered',
  'card-registration-unknown': 'cardRegistrationUnknown',
  'card-relayed': 'cardRelayed',
  'card-perhaps-relayed': 'cardPerhapsRelayed',
  'service-slow': 'serviceSlow',
  'more-in-portal': 'moreInPortal',
  'looking-again': 'lookingAgain',
  'nothing-new': 'nothingNew',
  'new-documents': 'newDocuments',
  'under-other-name': 'underOtherName',
  queued: 'queued',
  'left-alone': 'leftAlone',
  'not-all-printed': 'notAllPrinted',
  'only-arrived': 'onlyArrived',
  'list-stale': 'listStale',
  'not-as-asked': 'notAsAsked',
};

/**
 * `good`: a wish was fulfilled. `neutral`: a fact about the present state. All others are bad: a wish was not
 * fulfilled.
 */
const good: ReadonlySet<NoticeCode> = new Set([
  'card-registered',
  'card-relayed',
  'card-dropped',
  'short-id-given',
]);
const neutral: ReadonlySet<NoticeCode> = new Set([
  'service-slow',
  'more-in-portal',
  'looking-again',
  'nothing-new',
  'new-documents',
  'queued',
  'only-arrived',
  'list-stale',
  'not-as-asked',
]);

export const toneOf = (code: NoticeCode): 'good' | 'neutral' | 'bad' => {
  if (good.has(code)) return 'good';
  return neutral.has(code) ? 'neutral' : 'bad';
};

/** The reason why the terminal serves nobody. */
export const outageWords: Readonly<Record<OutageView['reason'], SentenceKey>> = {
  starting: 'terminalSigningIn',
  'not-approved': 'whyNotApproved',
  'switched-off': 'whySwitchedOff',
  'service-away': 'serviceAway',
  'needs-setup': 'notSetUp',
  elsewhere: 'whyElsewhere',
  'engine-away': 'whyEngineAway',
};

/** The need of a printer, and what a person in front can do about it. */
interface NeedWords {
  readonly what: SentenceKey;
  readonly todo: SentenceKey;
}

type PrinterNeed = NonNullable<PrinterView['needs']>;
type Need = NonNullable<Notice['needs']>;

export const needWords: Readonly<Record<PrinterNeed, NeedWords>> = {
  paper: { what: 'needPaper', todo: 'needPaperDo' },
  jam: { what: 'needJam', todo: 'needJamDo' },
  door: { what: 'needDoor', todo: 'needDoorDo' },
  toner: { what: 'needToner', todo: 'needTonerDo' },
  tray: { what: 'needTray', todo: 'needTrayDo' },
  'output-full': { what: 'needOutput', todo: 'needOutputDo' },
  somebody: { what: 'printerNeedsAttention', todo: 'needSomebodyDo' },
  administrator: { what: 'needAdministrator', todo: 'needAdministratorDo' },
};

/** Both sentences. */
export function sayNeed(need: Need, say: (key: SentenceKey) => string): string {
  if (need === 'letters') return say('documentLetters');
  const { what, todo } = needWords[need];
  return `${say(what)}. ${say(todo)}`;
}
