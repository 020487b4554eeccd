/** In which language the holder of a card reads the terminals of this agent. */
import type { CardNumber } from '../card/card-number.ts';
import type { LanguageCode } from '../language.ts';

export interface Languages {
  /** That was chosen with this card the last time. */
  of(card: CardNumber): LanguageCode | undefined;
  /** Throws `store-refused` or `store-failed`; what was chosen before is known as before. */
  remember(card: CardNumber, language: LanguageCode): void;
}
