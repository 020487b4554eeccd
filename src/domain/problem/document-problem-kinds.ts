/** What can be wrong with a document on its way, of the closed list in `problem-kinds.ts`. */
import { kind } from './problem-kind.ts';

export const documentProblemKinds = {
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
  'document-damaged': kind(
    'never',
    'This document is damaged. Please send it again from your computer.',
    'The document lies in the service cut, or without a page; nothing of it was completed, and it still waits there.',
  ),
  'document-too-large': kind(
    'never',
    'This document is too large for this terminal.',
    'The document is above the limit of 2 GiB or the free space.',
  ),
  'document-not-printable': kind(
    'never',
    'This document cannot be printed here.',
    'The printer does not take the format of this document, or it holds commands to the printer.',
  ),
  'document-not-convertible': kind(
    'never',
    'This document could not be prepared for this printer.',
    'The converter refused the document, or was stopped at a limit of time, memory, output or pages.',
  ),
  'document-not-as-recorded': kind(
    'never',
    'This document is not what the print service says. Please print it again from your computer.',
    'It has more pages than its record in the service, which the balance was checked for.',
  ),
  'document-not-waiting': kind(
    'never',
    'This document is no longer waiting: it was printed or deleted elsewhere.',
    'The document was READY in the list and is not any more; it was not printed here.',
  ),
  'document-taken': kind(
    'never',
    'This document is being printed already, or was.',
    'Another session released the document after this one had listed it; it is not printed twice.',
  ),
  'document-beyond-limits': kind(
    'never',
    'This document is too long to be printed here.',
    'More than 999 copies or 5000 pages.',
  ),
} as const;
