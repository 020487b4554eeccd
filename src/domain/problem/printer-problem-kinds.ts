/**
 * What can go wrong at a printer, before, while and after it prints, and on the way to its language: a part of the
 * closed list in `problem-kinds.ts`.
 */
import { kind } from './problem-kind.ts';

export const printerProblemKinds = {
  'printer-unreachable': kind(
    'later',
    'The printer cannot be reached.',
    'Check the power, the network and the address of the printer.',
  ),
  'printer-not-ready': kind(
    'later',
    'The printer needs attention.',
    'See the printer-state-reasons in this record.',
  ),
  'printer-lacks-paper': kind(
    'later',
    'The printer does not have the paper for this document.',
    'The printer says that paper is missing, and its trays show none of the size of this document. Add such paper, or correct the size that is set at the tray.',
  ),
  'printer-remark': kind(
    'later',
    'The printer prints, and something of it needs attention.',
    'See the printer-state-reasons in this record. Pages come out all the same, as the printer says that it is not stopped.',
  ),
  'printer-busy': kind(
    'later',
    'The printer is busy. Please try again in a moment.',
    'The printer was busy for the whole waiting time.',
  ),
  'printer-rejecting': kind(
    'after-repair',
    'The printer does not accept documents at the moment.',
    'printer-is-accepting-jobs is false, and nothing is printing. Let the queue accept jobs again (cupsaccept, or the web page of the printer).',
  ),
  'printer-incapable': kind(
    'after-repair',
    'The printer cannot be used.',
    'Switch on IPP printing (IPP Everywhere, AirPrint) at the printer, update its firmware, or correct printer.outputType. A printer that uses port 9100 needs a socket:// address.',
  ),
  'printer-refused-job': kind(
    'never',
    'The printer refused this document.',
    'The printer answered with an IPP client error, or cannot do what was asked. See the reasons in this record.',
  ),
  'printer-limit': kind(
    'after-repair',
    'The printer takes no more documents at the moment. A limit, such as a quota, may be reached. Please ask for help.',
    'The printer or spooler answered client-error-not-possible or client-error-account-limit-reached when the job was made. CUPS says so when a quota is used up. Raise the limit there, or wait.',
  ),
  'printer-forbids': kind(
    'after-repair',
    'The printer does not allow this print. Please ask for help.',
    'The printer or spooler answered client-error-forbidden, client-error-not-authorized or that the account is closed. Check who may print there, `sendUsername`, and printer.credentials.',
  ),
  'printer-aborted-job': kind(
    'later',
    'The printer stopped printing this document.',
    'The printer reported that the job was aborted or canceled.',
  ),
  'print-incomplete': kind(
    'never',
    'Some pages may be missing. Please look at the tray.',
    'The printer says that the job is completed, but it reported a problem or counted too few pages.',
  ),
  'printer-protocol': kind(
    'later',
    'The printer gave an answer that Platen does not understand.',
    'The answer is not valid IPP. Check for a proxy in between, or update the firmware.',
  ),
  'printer-address-refused': kind(
    'after-repair',
    'The printer cannot be used.',
    'The service gave a printer address outside printerNetwork. Correct the output port there, or allow the network here.',
  ),
  'printer-unsupported': kind(
    'after-repair',
    'The printer cannot be used.',
    'The output port uses a print protocol that this version does not support. Choose IPP or raw TCP there, or set printer.uri here.',
  ),
  'printer-denied': kind(
    'after-repair',
    'The printer does not let this terminal print.',
    'Set printer.credentials to a user name and a password that the printer accepts. Platen never sends a password unencrypted, nor to a printer whose certificate is not trusted (platen trust --printer).',
  ),
  'printer-tls-too-old': kind(
    'after-repair',
    'The printer cannot be used.',
    'The printer offers only TLS 1.0 or 1.1, or ciphers and keys that are no longer safe. Update its firmware, give it a certificate with a key of 2048 bits, or use ipp:// on a trusted network.',
  ),
  'printer-tls-missing': kind(
    'after-repair',
    'The printer cannot be used.',
    'There is no TLS on this port. Switch it on at the printer, correct the port in the address, or use ipp:// on a trusted network.',
  ),
  'printer-tls-wanted': kind(
    'after-repair',
    'The printer cannot be used.',
    'The printer takes nothing without TLS. Write the address that this record names into printer.uri. Platen sends nothing more in the clear meanwhile.',
  ),
  'printer-tls-refused': kind(
    'after-repair',
    'The printer cannot be used.',
    'The printer answers, and does not agree to TLS. Look at its security settings: Platen shows it no certificate of its own.',
  ),
  'printer-certificate-refused': kind(
    'after-repair',
    'The printer cannot be used until an administrator has checked it.',
    'Compare and approve what `platen trust --printer` shows, or give the printer a certificate of an authority that printer.tls trusts.',
  ),
  'printer-moved': kind(
    'after-repair',
    'The printer cannot be used.',
    'Something answers at this address and sends us elsewhere, which is never followed. Correct printer.uri. `platen check` tries the usual paths and says which answers.',
  ),
  'printer-path-unknown': kind(
    'after-repair',
    'The printer cannot be used.',
    'The device answers, but there is no printer at this path. Correct printer.uri. `platen check` tries the usual paths and says which answers.',
  ),
  'printer-no-ipp': kind(
    'after-repair',
    'The printer cannot be used.',
    'Something answers, but not a printer: a web page, a proxy, or the login page of a network. Correct the port or the path in printer.uri, and switch on IPP at the printer. `platen check` tries the usual paths and says which answers.',
  ),
  'printer-certificate-changed': kind(
    'after-repair',
    'The printer cannot be used until an administrator has checked it.',
    'Find out why the certificate changed. Then approve the new one with `platen trust --printer`.',
  ),
  'printer-certificate-expiring': kind(
    'later',
    'The certificate of the printer expires soon.',
    'Give the printer a new certificate. If no authority has signed it, approve it with `platen trust --printer`.',
  ),
  'printer-swapped': kind(
    'after-repair',
    'The printer cannot be used until an administrator has checked it.',
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
    'The printer took no data for stallSeconds, or the job made no progress for jobStallSeconds or when its owner left. Platen stopped the job.',
  ),
  'transfer-broken': kind(
    'never',
    'We could not confirm this print. Please look at the tray.',
    'The connection to the printer broke, or the gateway ended, before it was known that the whole document had arrived.',
  ),
  'ended-by-reset': kind(
    'never',
    'We could not confirm this print. Please look at the tray.',
    'The printer took the whole document and then broke the connection, which proves nothing. If such prints are always in the tray, set printer.resetIsEnd: true.',
  ),
  'outcome-unknown': kind(
    'never',
    'We could not confirm this print. Please look at the tray.',
    'The printer could not say what happened to the job.',
  ),
  'print-unconfirmed': kind(
    'never',
    'This printer cannot confirm a print. Please look at the tray.',
    'The printer took the document, but cannot confirm a print, and printer.requireConfirmation is on. Turn it off if that is enough.',
  ),
  'release-abandoned': kind(
    'later',
    'The terminal was stopped before your document was printed.',
    'The agent stopped before anything was sent. The document is still waiting.',
  ),
  'converter-missing': kind(
    'after-repair',
    'This document cannot be printed here until the terminal is repaired.',
    'Install Ghostscript and qpdf (packages ghostscript, qpdf, util-linux), or set their paths under `conversion`.',
  ),
  'converter-unconfined': kind(
    'after-repair',
    'This document cannot be printed here until the terminal is repaired.',
    'Start platen-converter.socket, or allow this user to create user namespaces. Or set `conversion.require: limits`; a security hole in Ghostscript is then a hole in the agent.',
  ),
} as const;
