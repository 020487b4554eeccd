/** How the holder of a card wants documents printed at the terminals of this agent, if they say nothing else. */
import type { CardNumber } from '../card/card-number.ts';
import type { Defaults } from '../document-changes.ts';

export interface KeptDefaults {
  of(card: CardNumber): Defaults | undefined;
  /** Throws `store-refused` or `store-failed`; the earlier defaults then stay. */
  keep(card: CardNumber, defaults: Defaults): void;
  /** As `keep`. */
  forget(card: CardNumber): void;
}
