/** What can go wrong at a printer, before, while and after it prints, and on the way to its language: a part of the closed list in `problem-kinds.ts`. */
import { kind } from './problem-kind.ts';

export const printerProblemKinds = {
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
  'printer-rejecting': kind(
    'after-repair',
    'The printer takes no documents at the moment.',
    'printer-is-accepting-jobs is false, and nothing is printing: let the queue accept jobs again (cupsaccept, or the page of the printer).',
  ),
  'printer-incapable': kind(
    'after-repair',
    'The printer cannot be used.',
    'Switch printing over IPP (IPP Everywhere, AirPrint) on at the printer, update its firmware, or mend printer.outputType; a printer that prints bytes at port 9100 is reached by socket://.',
  ),
  'printer-refused-job': kind(
    'never',
    'The printer refused this document.',
    'The printer answered with an IPP client error, or cannot do what was asked for; see the reasons in this record.',
  ),
  'printer-aborted-job': kind(
    'later',
    'The printer gave this document up.',
    'The printer reported the job as aborted or canceled.',
  ),
  'print-incomplete': kind(
    'never',
    'Perhaps not all pages came out. Please look at the tray.',
    'The printer called the job completed, with trouble in its job-state-reasons or fewer pages counted than the document has.',
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
  'printer-denied': kind(
    'after-repair',
    'The printer does not let this terminal print.',
    'Set printer.credentials to a user name and a password that the printer accepts; it is never sent a password in the clear, and none before an authority stands for its certificate or you have approved it (platen trust --printer).',
  ),
  'printer-tls-too-old': kind(
    'after-repair',
    'The printer cannot be used.',
    'The printer speaks only TLS 1.0 or 1.1, or ciphers and keys that are no longer safe: update its firmware, renew its certificate with a key of 2048 bits, or use ipp:// on a network that is trusted.',
  ),
  'printer-tls-missing': kind(
    'after-repair',
    'The printer cannot be used.',
    'What answers at this port does not speak TLS: switch it on at the printer, mend the port in the address, or use ipp:// on a network that is trusted.',
  ),
  'printer-certificate-changed': kind(
    'after-repair',
    'The printer cannot be used until somebody has looked at it.',
    'Find out why the certificate changed; then approve what `platen trust --printer` shows.',
  ),
  'printer-certificate-expiring': kind(
    'later',
    'The certificate of the printer runs out soon.',
    'Give the printer a new certificate; where it is signed by no authority, approve it with `platen trust --printer`.',
  ),
  'printer-swapped': kind(
    'after-repair',
    'The printer cannot be used until somebody has looked at it.',
    'Another printer answers at this address; when that is right, approve it with `platen trust --printer`.',
  ),
  'spooler-policy': kind(
    'after-repair',
    'This printer may print a document again by itself.',
    'Set the error policy of the queue to abort-job.',
  ),
  'printer-stalled': kind(
    'later',
    'The printer stopped while printing. Please look at the tray.',
    'No byte was taken for stallSeconds, or the job stood for jobStallSeconds or when its owner left; the connection was broken off, or the job cancelled.',
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
  'print-unconfirmed': kind(
    'never',
    'This printer cannot confirm a print. Please look at the tray.',
    'The printer took the document, and printer.requireConfirmation is set; turn it off where that is enough.',
  ),
  'release-abandoned': kind(
    'later',
    'The terminal was stopped before your document was printed.',
    'The agent ended before the first byte went out; the document still waits.',
  ),
  'converter-missing': kind(
    'after-repair',
    'This document cannot be printed here until this terminal is repaired.',
    'Install Ghostscript and qpdf (packages ghostscript, qpdf, util-linux), or name them under `conversion`.',
  ),
  'converter-unconfined': kind(
    'after-repair',
    'This document cannot be printed here until this terminal is repaired.',
    'Start platen-converter.socket, or let this user make user namespaces; or set `conversion.require: limits`, knowing that a hole in Ghostscript is then a hole in the agent.',
  ),
} as const;
