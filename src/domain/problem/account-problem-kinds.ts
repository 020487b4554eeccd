/** Of the closed list: what can go wrong with what people change in their own account. */
import { kind } from './problem-kind.ts';

export const accountProblemKinds = {
  'cards-owed': kind(
    'later',
    'Some of your cards are missing. They come back when you sign in.',
    'A person dropped a lost card, but Platen could not finish this at the service. Platen gives the other cards of the person back at the next sign-in at this gateway. If no card is left, the person can sign in with a password or an ID number. Platen tries this for 30 days in which it runs. platen logs shows when it is done. The service shows the person with this id.',
  ),
} as const;
