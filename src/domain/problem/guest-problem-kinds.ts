/** Of the closed list: what can go wrong with guests, whom an administrator lets in for hours. */
import { kind } from './problem-kind.ts';

export const guestProblemKinds = {
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
} as const;
