/** A user's own account in the service. Reads give `undefined` where the service has that not, or not for this user. */
import type { Secret } from '../../core/secret.ts';
import type { CardNumber } from '../card/card-number.ts';
import type { OwnTransaction, PriceList } from '../own-account.ts';
import type { Login } from '../user.ts';
import type { CallOptions } from './call.ts';

export interface OwnAccount {
  /** The last ones, the most recent first. */
  transactions(login: Login, options: CallOptions): Promise<readonly OwnTransaction[] | undefined>;
  /** Also `undefined` where prints are not charged. */
  prices(login: Login, options: CallOptions): Promise<PriceList | undefined>;
  /** In the order in which they came. */
  cards(login: Login, options: CallOptions): Promise<readonly CardNumber[] | undefined>;
  /** Of all cards: the service has no call that drops one of them. Sent once. */
  dropCards(login: Login, options: CallOptions): Promise<void>;
  /** In place of the one before; it is the holder's alone. Sent once. */
  giveShortId(shortId: Secret, login: Login, options: CallOptions): Promise<void>;
}
