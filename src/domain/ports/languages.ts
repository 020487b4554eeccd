/** The language in which the holder of a card reads the terminals of this agent. */
import type { CardNumber } from '../card/card-number.ts';
import type { LanguageCode } from '../language.ts';

export interface Languages {
  /** The last choice with this card. */
  of(card: CardNumber): LanguageCode | undefined;
  /** Throws `store-refused` or `store-failed`; the earlier choice then stays. */
  remember(card: CardNumber, language: LanguageCode): void;
}
