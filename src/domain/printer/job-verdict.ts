/**
 * The outcome of a job whose intent is recorded. There is one table, and the first row that applies decides
 * (INVARIANTS.md B.1 and its second edition). A job-state is read with its job-state-reasons and its counters. The
 * counters are read by whether this printer has counted before, because many count late or never
 * (https://github.com/OpenPrinting/cups/issues/1478 and its kin). The table uses only the known facts, and asks no
 * printer.
 */
import { isTwoSided } from '../document-changes.ts';
import type { EndState, ExpectedOutput, JobReport } from '../release.ts';
import { hasEnded } from '../release.ts';

/**
 * Our knowledge of the bytes: `none` was sent · `refused`: the printer refused before it took the document · `some`:
 * the transfer broke off · `all` · `unseen`: a vanished member perhaps sent it.
 */
export type Sent = 'none' | 'refused' | 'some' | 'all' | 'unseen';

export interface JobEvidence {
  readonly sent: Sent;
  /** Absent if the printer could not tell the end of the job. */
  readonly report: JobReport | undefined;
  /** Absent if the document does not tell its pages. */
  readonly expected: ExpectedOutput | undefined;
}

interface Row {
  readonly when: string;
  readonly source: string;
  readonly applies: (evidence: JobEvidence) => boolean;
  readonly state: EndState;
}

const countsOf = ({ report }: JobEvidence): readonly number[] =>
  [report?.impressionsCompleted, report?.sheetsCompleted].filter((count) => count !== undefined);
const hasCounted = (evidence: JobEvidence): boolean => countsOf(evidence).some((count) => count > 0);
/**
 * A count of 0, from a printer that is known to count while it prints, and that has stopped (RFC 8011 section 5.3.8).
 */
const provesNothing = (evidence: JobEvidence): boolean =>
  evidence.report?.isProvenCounter === true &&
  !evidence.report.reasons.includes('processing-to-stop-point') &&
  countsOf(evidence).length > 0 &&
  !hasCounted(evidence);

const is =
  (...states: readonly JobReport['state'][]) =>
  ({ report }: JobEvidence): boolean =>
    report !== undefined && states.includes(report.state);
const isCompleted = is('completed');
const isGivenUp = is('canceled', 'aborted');

const ofPacking: ReadonlySet<string> = new Set([
  'client-error-compression-error',
  'compression-error',
  'unsupported-compression',
]);

/** The printer could not, or would not, unpack the document (RFC 8011 section 5.3.8, appendix B.1.4.17). */
export const isOfPacking = (reasons: readonly string[]): boolean =>
  reasons.some((reason) => ofPacking.has(reason));

/** Reasons that contradict `completed`: pages are missing, or the end was not seen. */
const trouble =
  /-errors?$|^errors-detected$|^aborted-by-system$|^job-canceled-|^processing-to-stop-point$|^submission-interrupted$|^job-data-insufficient$|^unsupported-(?:compression|document-format)$|^document-unprintable|^digital-signature-did-not-verify$|^resources-are-not-|^conflicting-attributes$|^job-password-wait$|^job-(?:saved|stored|fetchable)/;
const isInTrouble = ({ report }: JobEvidence): boolean =>
  report?.reasons.some((reason) => trouble.test(reason)) === true;

/** The rows in the order in which they are tried. */
export const verdicts: readonly Row[] = [
  {
    when: 'no byte of the document was given away',
    source: 'INVARIANTS.md B.1',
    applies: ({ sent }) => sent === 'none',
    state: 'NOOUTPUT',
  },
  {
    when: 'refused, although pages were counted',
    source: 'https://github.com/apple/cups/issues/4073: a printer that answered busy printed each time',
    applies: (evidence) => evidence.sent === 'refused' && hasCounted(evidence),
    state: 'PARTIAL',
  },
  {
    when: 'refused, although completed',
    source: 'https://github.com/apple/cups/issues/4073',
    applies: (evidence) => evidence.sent === 'refused' && isCompleted(evidence),
    state: 'UNKNOWN',
  },
  {
    when: 'refused before the document was touched',
    source: 'RFC 8011 section 4.1.6: an operation that is refused is not carried out',
    applies: ({ sent }) => sent === 'refused',
    state: 'NOOUTPUT',
  },
  {
    when: 'the transfer broke off, and pages were counted',
    source: 'contract section 3: whatever the printer says of the job',
    applies: (evidence) => evidence.sent === 'some' && hasCounted(evidence),
    state: 'PARTIAL',
  },
  {
    when: 'the transfer broke off: some printers print the part they got and call it completed',
    source: 'contract section 3',
    applies: ({ sent }) => sent === 'some',
    state: 'UNKNOWN',
  },
  {
    when: 'sent by another, completed, and every page of it counted',
    source: 'RFC 8011 section 5.3.18.2, job-impressions-completed: all counted impressions came out',
    applies: (evidence) =>
      evidence.sent === 'unseen' &&
      isCompleted(evidence) &&
      !isInTrouble(evidence) &&
      hasCounted(evidence) &&
      evidence.expected !== undefined &&
      !isShort(evidence) &&
      !countsDocuments(evidence.report),
    state: 'CONFIRMED',
  },
  {
    when: 'sent by another, perhaps, and pages were counted',
    source: 'fleet F6: anything but a proof of nothing is no proof of it',
    applies: (evidence) => evidence.sent === 'unseen' && hasCounted(evidence),
    state: 'PARTIAL',
  },
  {
    when: 'sent by another, perhaps, and given up with nothing printed',
    source: 'fleet F6: canceled or aborted, and zero impressions and zero sheets; counters as proof',
    applies: (evidence) =>
      evidence.sent === 'unseen' &&
      isGivenUp(evidence) &&
      (evidence.report?.hasBegun === false || provesNothing(evidence)),
    state: 'NOOUTPUT',
  },
  {
    when: 'sent by another, perhaps: how much of it, nobody here has seen',
    source: 'fleet F6',
    applies: ({ sent }) => sent === 'unseen',
    state: 'UNKNOWN',
  },
  {
    when: 'the printer took every byte, and tells no more of the job',
    source: 'INVARIANTS.md B.1: job not found, asking refused',
    applies: ({ report }) => report?.letGo !== undefined,
    state: 'HANDED-OVER',
  },
  {
    when: 'nobody could say what became of the job',
    source: 'INVARIANTS.md B.1',
    applies: ({ report }) => report === undefined || !hasEnded(report),
    state: 'UNKNOWN',
  },
  {
    when: 'completed for the sender, but waits in the device',
    source: 'RFC 8011 section 5.3.8, queued-in-device',
    applies: (evidence) =>
      isCompleted(evidence) && evidence.report?.reasons.includes('queued-in-device') === true,
    state: 'HANDED-OVER',
  },
  {
    when: 'completed in trouble, after pages',
    source: 'RFC 8011 section 5.3.8, job-completed-with-errors; PWG 5100.13, document-unprintable-error',
    applies: (evidence) => isCompleted(evidence) && isInTrouble(evidence) && hasCounted(evidence),
    state: 'PARTIAL',
  },
  {
    when: 'completed in trouble, and a printer that counts has counted nothing',
    source: 'PWG 5100.13, document-unprintable-error; INVARIANTS.md B.1: counters as proof',
    applies: (evidence) => isCompleted(evidence) && isInTrouble(evidence) && provesNothing(evidence),
    state: 'NOOUTPUT',
  },
  {
    when: 'completed in trouble, and nobody knows how far it came',
    source: 'RFC 8011 section 5.3.8, job-completed-with-errors, aborted-by-system',
    applies: (evidence) => isCompleted(evidence) && isInTrouble(evidence),
    state: 'UNKNOWN',
  },
  {
    when: 'completed, by a printer that counts documents and not pages',
    source: 'PAPPL, filter_raw of pappl/job-process.c: an unchanged document counts one impression of one',
    applies: (evidence) => isCompleted(evidence) && isShort(evidence) && countsDocuments(evidence.report),
    state: 'HANDED-OVER',
  },
  {
    when: 'completed, and fewer pages were counted than the document has',
    source: 'RFC 8011 section 5.3.18.2, job-impressions-completed',
    applies: (evidence) => isCompleted(evidence) && isShort(evidence),
    state: 'PARTIAL',
  },
  {
    when: 'completed, and a printer that counts has counted nothing',
    source: 'INVARIANTS.md B.1: counters as proof',
    applies: (evidence) => isCompleted(evidence) && provesNothing(evidence),
    state: 'UNKNOWN',
  },
  {
    when: 'completed; a printer that counts nothing has nothing to add',
    source: 'RFC 8011 section 5.3.7, completed; INVARIANTS.md B.4, 8',
    applies: isCompleted,
    state: 'CONFIRMED',
  },
  {
    when: 'given up after pages',
    source: 'RFC 8011 section 5.3.7, canceled, aborted',
    applies: (evidence) => isGivenUp(evidence) && hasCounted(evidence),
    state: 'PARTIAL',
  },
  {
    when: 'given up before it was begun',
    source: 'RFC 8011 section 5.3.14.2, time-at-processing is no-value',
    applies: (evidence) => isGivenUp(evidence) && evidence.report?.hasBegun === false,
    state: 'NOOUTPUT',
  },
  {
    when: 'given up, and a printer that counts has counted nothing',
    source: 'INVARIANTS.md B.1: counters as proof',
    applies: (evidence) => isGivenUp(evidence) && provesNothing(evidence),
    state: 'NOOUTPUT',
  },
  {
    when: 'given up, and nobody knows how far it came',
    source: 'INVARIANTS.md B.1: the counter is missing, or its 0 proves nothing',
    applies: isGivenUp,
    state: 'UNKNOWN',
  },
];

export function verdictOn(evidence: JobEvidence): EndState {
  const row = verdicts.find(({ applies }) => applies(evidence));
  return row?.state ?? 'UNKNOWN';
}

/**
 * Fewer pages were counted than the document has. Printers count in several ways: impressions of all copies as in RFC
 * 8011, impressions of one copy (as job-impressions, section 5.3.17.2), or sheets reported as impressions. A count that
 * is complete in any of these ways is not short.
 */
export function isShort({ report, expected }: Pick<JobEvidence, 'report' | 'expected'>): boolean {
  if (expected === undefined || expected.pages < 1) return false;
  const { impressionsCompleted: impressions = 0, sheetsCompleted: sheets = 0 } = report ?? {};
  const { pages, copies, sides } = expected;
  const leastSheets = sides !== undefined && isTwoSided(sides) ? Math.ceil(pages / 2) : pages;
  const isAll = (count: number, ofOne: number) => count >= ofOne * copies || count === ofOne;
  if (impressions === 0) return sheets > 0 && !isAll(sheets, leastSheets);
  const mayCountSheets = report?.sheetsCompleted === undefined || sheets === impressions;
  return !isAll(impressions, pages) && !(mayCountSheets && isAll(impressions, leastSheets));
}

/** It expected one impression for the whole document, and counted one (RFC 8011 section 5.3.17.2, job-impressions). */
export const countsDocuments = (report: JobReport | undefined): boolean =>
  report?.impressions === 1 && report.impressionsCompleted === 1;
