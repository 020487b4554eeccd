/**
 * Cards that the service removes from people together with a lost one, because it can only drop all cards of a person.
 * The cards to be given back are kept before the first is removed, until they are back (D3). Their owners are kept as
 * numbers.
 */
import type { Duration } from '../../core/duration.ts';
import type { CardNumber } from '../card/card-number.ts';
import type { User } from '../user.ts';

export type Owner = Pick<User, 'id' | 'providerId'>;

export interface OwedCards {
  /** The people who are owed cards. */
  all(): readonly Owner[];
  /** Empty if nothing is owed, or if the cards can no longer be read. */
  of(owner: Owner): readonly CardNumber[];
  /**
   * Replaces the cards that were kept for the person. On disk when it returns; throws `store-refused` or `store-failed`
   * if it is not.
   */
  keep(owner: Owner, cards: readonly CardNumber[]): void;
  /** Never throws. If the disk refuses, the next write makes up for it. */
  forget(owner: Owner): void;
  /**
   * Takes this span from the time that the cards are kept. Returns the owners whose time has ended, and forgets them.
   * Throws as `keep` does.
   */
  age(span: Duration): readonly Owner[];
}

export const isSameOwner = (one: Owner, other: Owner): boolean =>
  one.id === other.id && one.providerId === other.providerId;
