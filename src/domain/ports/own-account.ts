/**
 * A user's own account in the service. Reads return `undefined` if the service does not have the fact, or not for this
 * user.
 */
import type { Secret } from '../../core/secret.ts';
import type { CardNumber } from '../card/card-number.ts';
import type { OwnTransaction, PriceList } from '../own-account.ts';
import type { Login } from '../user.ts';
import type { CallOptions } from './call.ts';

export interface OwnAccount {
  /** The last ones, most recent first. */
  transactions(login: Login, options: CallOptions): Promise<readonly OwnTransaction[] | undefined>;
  /** Also `undefined` if prints are not charged. */
  prices(login: Login, options: CallOptions): Promise<PriceList | undefined>;
  /** In the order in which they came. */
  cards(login: Login, options: CallOptions): Promise<readonly CardNumber[] | undefined>;
  /** Drops all cards, because the service has no call to drop a single one. Sent once. */
  dropCards(login: Login, options: CallOptions): Promise<void>;
  /** Replaces the former short id, and belongs to the holder alone. Sent once. */
  giveShortId(shortId: Secret, login: Login, options: CallOptions): Promise<void>;
}
