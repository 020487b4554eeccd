/**
 * The problems at a printer, before, during and after a print, and on the way to its language: a part of the closed
 * list in `problem-kinds.ts`.
 */
import { kind } from './problem-kind.ts';
import { problemSentences } from './problem-sentences.ts';

export const printerProblemKinds = {
  'printer-unreachable': kind(
    'later',
    problemSentences.printerUnreachable,
    'Check the power, the network and the address of the printer.',
  ),
  'printer-not-ready': kind(
    'later',
    problemSentences.printerAttention,
    'The display of the printer shows the reason.',
  ),
  'printer-lacks-paper': kind(
    'later',
    problemSentences.printerLacksPaper,
    'The printer reports that paper is missing, and no tray has the size of this document. Add paper of this size, or correct the size that is set for a tray.',
  ),
  'printer-remark': kind(
    'later',
    'The printer prints, and something of it needs attention.',
    'The display of the printer shows the reason. The printer reports that it is not stopped, so pages still come out.',
  ),
  'printer-supply-low': kind(
    'later',
    'The printer prints, and will soon need ink, toner, staples or an empty box for waste.',
    'Order what the printer names, or change it. The printer tells how much is left.',
  ),
  'printer-busy': kind(
    'later',
    problemSentences.printerIsBusy,
    'The printer was busy for the whole waiting time.',
  ),
  'printer-rejecting': kind(
    'after-repair',
    problemSentences.printerTakesNone,
    'printer-is-accepting-jobs is false, and the printer prints nothing. Let the queue accept jobs again (cupsaccept, or the web page of the printer).',
  ),
  'printer-incapable': kind(
    'after-repair',
    problemSentences.printerUnusable,
    'Switch on IPP printing (IPP Everywhere, AirPrint) at the printer, update its firmware, or correct printer.outputType. A printer that uses port 9100 needs a socket:// address.',
  ),
  'printer-refused-job': kind(
    'never',
    problemSentences.printerRefused,
    'The printer answered with an IPP client error, or cannot do what the job asks for. See the reasons in this record.',
  ),
  'printer-limit': kind(
    'after-repair',
    problemSentences.printerLimit,
    'The printer or spooler answered client-error-not-possible or client-error-account-limit-reached when Platen made the job. CUPS answers this when a quota is used up. Raise the limit there, or wait.',
  ),
  'printer-forbids': kind(
    'after-repair',
    problemSentences.printerForbids,
    'The printer or spooler answered client-error-forbidden or client-error-not-authorized, or that the account is closed. Check there which users may print, and check `sendUsername` and printer.credentials here.',
  ),
  'printer-aborted-job': kind(
    'later',
    problemSentences.printerGaveUp,
    'The printer reported that the job was aborted or canceled.',
  ),
  'print-incomplete': kind(
    'never',
    'Some pages may be missing. Please look at the tray.',
    'The printer reported the job as completed, but it also reported a problem or counted too few pages.',
  ),
  'printer-protocol': kind(
    'later',
    'The printer gave an answer that Platen does not understand.',
    'The answer is not valid IPP. Check for a proxy in between, or update the firmware.',
  ),
  'printer-address-refused': kind(
    'after-repair',
    problemSentences.printerUnusable,
    'The service gave a printer address outside printerNetwork. Correct the output port there, or allow the network here.',
  ),
  'printer-unsupported': kind(
    'after-repair',
    problemSentences.printerUnusable,
    'The output port uses a print protocol that this version does not support. Choose IPP or raw TCP there, or set printer.uri here.',
  ),
  'printer-denied': kind(
    'after-repair',
    'The printer does not let this terminal print.',
    'Set printer.credentials to a user name and a password that the printer accepts. Platen never sends a password unencrypted, nor to a printer whose certificate is not trusted (platen trust --printer).',
  ),
  'printer-tls-too-old': kind(
    'after-repair',
    problemSentences.printerUnusable,
    'The printer offers only TLS 1.0 or 1.1, or ciphers and keys that are no longer safe. Update its firmware, give it a certificate with a key of 2048 bits, or use ipp:// on a trusted network.',
  ),
  'printer-tls-missing': kind(
    'after-repair',
    problemSentences.printerUnusable,
    'There is no TLS on this port. Switch TLS on at the printer, correct the port in the address, or use ipp:// on a trusted network.',
  ),
  'printer-tls-wanted': kind(
    'after-repair',
    problemSentences.printerUnusable,
    'The printer accepts nothing without TLS. Write the address from this record into printer.uri. Until then Platen sends it nothing without encryption.',
  ),
  'printer-tls-refused': kind(
    'after-repair',
    problemSentences.printerUnusable,
    'The printer answers, but refuses the TLS connection. Check its security settings. Platen has no certificate of its own for printers.',
  ),
  'printer-certificate-refused': kind(
    'after-repair',
    problemSentences.printerUnusable,
    'Compare the certificate in `platen trust --printer` and approve it, or give the printer a certificate from an authority that printer.tls trusts.',
  ),
  'printer-moved': kind(
    'after-repair',
    problemSentences.printerUnusable,
    'The device at this address sends Platen to another address. Platen never follows that. Correct printer.uri. `platen check` tries the usual paths and shows the path that answers.',
  ),
  'printer-path-unknown': kind(
    'after-repair',
    problemSentences.printerUnusable,
    'The device answers, but there is no printer at this path. Correct printer.uri. `platen check` tries the usual paths and shows the path that answers.',
  ),
  'printer-no-ipp': kind(
    'after-repair',
    problemSentences.printerUnusable,
    'The answer does not come from a printer, but from a web page, a proxy, or the login page of a network. Correct the port or the path in printer.uri, and switch on IPP at the printer. `platen check` tries the usual paths and shows the path that answers.',
  ),
  'printer-certificate-changed': kind(
    'after-repair',
    problemSentences.printerUnusable,
    'Find out why the certificate changed. Then approve the new one with `platen trust --printer`.',
  ),
  'printer-certificate-expiring': kind(
    'later',
    'The certificate of the printer expires soon.',
    'Give the printer a new certificate. If no authority has signed it, approve it with `platen trust --printer`.',
  ),
  'printer-swapped': kind(
    'after-repair',
    problemSentences.printerUnusable,
    'Another printer answers at this address. If that is correct, approve it with `platen trust --printer`.',
  ),
  'spooler-policy': kind(
    'after-repair',
    'This printer may print a document twice.',
    'Set the error policy of the queue to abort-job.',
  ),
  'printer-stalled': kind(
    'later',
    'The printer stopped while printing. Please look at the tray.',
    'The printer accepted no data for stallSeconds, or the job made no progress for jobStallSeconds or when its owner left. Platen stopped the job.',
  ),
  'transfer-broken': kind(
    'never',
    problemSentences.lookAtTray,
    'The connection to the printer broke, or the gateway stopped, before Platen knew that the whole document had arrived.',
  ),
  'ended-by-reset': kind(
    'never',
    problemSentences.lookAtTray,
    'The printer accepted the whole document and then broke the connection. That does not prove a print. If such prints are always in the tray, set printer.resetIsEnd: true.',
  ),
  'outcome-unknown': kind(
    'never',
    problemSentences.lookAtTray,
    'The printer could not say what happened to the job.',
  ),
  'print-unconfirmed': kind(
    'never',
    'This printer cannot confirm a print. Please look at the tray.',
    'The printer accepted the document, but cannot confirm a print, and printer.requireConfirmation is on. Turn it off if you do not need a confirmation.',
  ),
  'release-abandoned': kind(
    'later',
    problemSentences.notPrinted,
    'The agent stopped before it sent anything. The document still waits.',
  ),
  'converter-missing': kind(
    'after-repair',
    problemSentences.needsRepair,
    'Install Ghostscript and qpdf (packages ghostscript, qpdf, util-linux), or set their paths under `conversion`.',
  ),
  'converter-unconfined': kind(
    'after-repair',
    problemSentences.needsRepair,
    'Start platen-converter.socket, or allow this user to create user namespaces. Or set `conversion.require: limits`. Then a security hole in Ghostscript is also a hole in the agent.',
  ),
} as const;
