/** Of the closed list: what can go wrong with guests, whom an administrator lets in for hours. */
import { kind } from './problem-kind.ts';

export const guestProblemKinds = {
  'guest-refused': kind(
    'after-repair',
    'This guest cannot be let in.',
    'Nobody was let in. The page guests.md of the documentation says what the service has to allow.',
  ),
  'guest-not-ended': kind(
    'later',
    'A guest could not be signed off.',
    'The time of a guest is over, and the user is still in the service. Platen tries again automatically. platen guest list shows who; delete that user in the service where it lasts.',
  ),
} as const;
