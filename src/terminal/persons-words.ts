/** What a person in front says to a terminal by finger or keys, each word in answer to a view (reliability.md D2). */
import type { Changed, Picked, Said, TerminalEvent, TypedEnrolment, TypedLogin, TypedPin } from './events.ts';

export interface PersonsWords {
  /** These documents of the open session's list, in the list's order; others are ignored, with a record. */
  release(picked: Picked): void;
  /** In the cloud. */
  delete(picked: Picked): void;
  /** Within what the view of the document offers; for this session. */
  change(changed: Changed): void;
  /** The person, told that the document may have been printed, wants it once more (I1). */
  printAgain(said: Said): void;
  /** The person found what may have been printed: it counts as printed, and leaves the list. */
  itIsThere(said: Said): void;
  /** Also takes back a login, or a question for PIN or enrolment. */
  logout(said: Pick<Said, 'generation'>): void;
  /** Words typed in answer to a view: instead of a badge, as its PIN, or as to whose the unknown badge is to be. */
  logIn(typed: TypedLogin): void;
  pin(typed: TypedPin): void;
  enrol(typed: TypedEnrolment): void;
  /** Somebody touches keys or screen: what would end for want of that begins anew. */
  stillThere(said: Pick<Said, 'generation'>): void;
}

export const personsWords = (tell: (event: TerminalEvent) => void): PersonsWords => ({
  release: (picked) => tell({ type: 'RELEASE', ...picked }),
  delete: (picked) => tell({ type: 'DELETE', ...picked }),
  change: (changed) => tell({ type: 'CHANGE', ...changed }),
  printAgain: (said) => tell({ type: 'PRINT_AGAIN', ...said }),
  itIsThere: (said) => tell({ type: 'IT_IS_THERE', ...said }),
  logout: (said) => tell({ type: 'LOGOUT', ...said }),
  logIn: (typed) => tell({ type: 'LOG_IN', ...typed }),
  pin: (typed) => tell({ type: 'PIN', ...typed }),
  enrol: (typed) => tell({ type: 'ENROL', ...typed }),
  stillThere: (said) => tell({ type: 'ACTIVITY', ...said }),
});
