/** The problems of a document on its way: a part of the closed list in `problem-kinds.ts`. */
import { kind } from './problem-kind.ts';

export const documentProblemKinds = {
  'document-gone': kind(
    'never',
    'This document is no longer there.',
    'The document was in the list, but was no longer there at the download.',
  ),
  'document-cut': kind(
    'later',
    'This document could not be downloaded completely.',
    'The download ended early. Nothing was printed.',
  ),
  'document-damaged': kind(
    'never',
    'This document is damaged. Please send it again from your computer.',
    'The document in the service is incomplete or has no pages. It still waits there.',
  ),
  'document-too-large': kind(
    'never',
    'This document is too large for this terminal.',
    'The document is larger than 2 GiB, or larger than the free space.',
  ),
  'document-not-printable': kind(
    'never',
    'This document cannot be printed here.',
    'The printer does not support the format of this document, or the document contains printer commands.',
  ),
  'document-not-convertible': kind(
    'never',
    'This document could not be prepared for this printer.',
    'The converter refused the document, or reached a limit of time, memory, output or pages.',
  ),
  'document-placeholder': kind(
    'never',
    'This document has no pages of its own: other programs make them. Please open it there, and print it from there.',
    'The PDF is a dynamic XFA form or a portfolio. Its only page tells people to open it in another program.',
  ),
  'document-not-as-recorded': kind(
    'never',
    'This document is not what the print service says. Please print it again from your computer.',
    'The document has more pages than its record in the service. Platen has checked the balance for fewer pages.',
  ),
  'document-not-waiting': kind(
    'never',
    'This document is no longer waiting. It was printed or deleted elsewhere.',
    'The document was READY in the list, but is not READY now. It was not printed here.',
  ),
  'document-taken': kind(
    'never',
    'This document is already being printed, or was printed.',
    'Another session printed this document first. Platen does not print it twice.',
  ),
  'document-beyond-limits': kind(
    'never',
    'This document is too long to be printed here.',
    'The print has more than 999 copies or more than 5000 pages.',
  ),
} as const;
