/**
 * Cards that the service takes from people together with a lost one, for it drops all of a person's or none: what is to be
 * given back is kept before the first is taken, until it is back (D3). Whose they are stands there as numbers.
 */
import type { Duration } from '../../core/duration.ts';
import type { CardNumber } from '../card/card-number.ts';
import type { User } from '../user.ts';

export type Owner = Pick<User, 'id' | 'providerId'>;

export interface OwedCards {
  /** Whom something is owed to. */
  all(): readonly Owner[];
  /** None where nothing is owed, or where it can no longer be read. */
  of(owner: Owner): readonly CardNumber[];
  /** In place of what was kept for them. On disk when it returns; throws `store-refused` or `store-failed` where it is not. */
  keep(owner: Owner, cards: readonly CardNumber[]): void;
  /** Never throws: what the disk refuses is made up for at the next write. */
  forget(owner: Owner): void;
  /** So much of the time that they are kept is over; gives whose time has ended, and forgets them. Throws as `keep` does. */
  age(span: Duration): readonly Owner[];
}

export const isSameOwner = (one: Owner, other: Owner): boolean =>
  one.id === other.id && one.providerId === other.providerId;
