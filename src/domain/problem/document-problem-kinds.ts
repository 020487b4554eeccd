/** The problems of a document on its way: a part of the closed list in `problem-kinds.ts`. */
import { kind } from './problem-kind.ts';
import { problemSentences } from './problem-sentences.ts';

export const documentProblemKinds = {
  'document-gone': kind(
    'never',
    problemSentences.documentGone,
    'The document was in the list, but was no longer there at the download.',
  ),
  'document-cut': kind(
    'later',
    problemSentences.documentCut,
    'The download ended early. Nothing was printed.',
  ),
  'document-damaged': kind(
    'never',
    problemSentences.documentDamaged,
    'The document in the service is incomplete or has no pages. It still waits there.',
  ),
  'document-too-large': kind(
    'never',
    problemSentences.documentTooLarge,
    'The document is larger than 2 GiB, or larger than the free space.',
  ),
  'document-not-printable': kind(
    'never',
    problemSentences.documentNotPrintable,
    'The printer does not support the format of this document, or the document contains printer commands.',
  ),
  'document-not-convertible': kind(
    'never',
    'This document could not be prepared for this printer.',
    'The converter refused the document, or reached a limit of time, memory, output or pages.',
  ),
  'document-placeholder': kind(
    'never',
    problemSentences.documentPlaceholder,
    'The PDF is a dynamic XFA form or a portfolio. Its only page tells people to open it in another program.',
  ),
  'document-not-as-recorded': kind(
    'never',
    problemSentences.documentNotAsRecorded,
    'The document has more pages than its record in the service. Platen has checked the balance for fewer pages.',
  ),
  'document-not-waiting': kind(
    'never',
    problemSentences.documentNotWaiting,
    'The document was READY in the list, but is not READY now. It was not printed here.',
  ),
  'document-taken': kind(
    'never',
    problemSentences.documentTaken,
    'Another session printed this document first. Platen does not print it twice.',
  ),
  'document-beyond-limits': kind(
    'never',
    problemSentences.documentTooLong,
    'The print has more than 999 copies or more than 5000 pages.',
  ),
} as const;
