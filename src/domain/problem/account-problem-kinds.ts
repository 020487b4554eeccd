/** Of the closed list: what can go wrong with what people change in their own account. */
import { kind } from './problem-kind.ts';

export const accountProblemKinds = {
  'cards-owed': kind(
    'later',
    'Some of your cards are missing. They come back when you sign in.',
    'A lost card was being dropped, and the service was not told all of it: Platen gives the person’s other cards back when they next sign in at this gateway, by a password or a short ID where no card of theirs is left. For 30 days of running; platen logs tells when it is done. The service shows who has this id.',
  ),
} as const;
