/**
 * A card number in the form the service stores it in, by what the output port says (api-supplement.md 12, rows 22 and
 * 23). Blanks are gone by then, see `card.ts`.
 */
import { CardNumber } from './card.ts';

export interface CardFormat {
  /** A hexadecimal number becomes decimal, unpadded; one that is not hexadecimal stays. */
  readonly decimal: boolean;
  /** Leading zeros go, but the last digit. */
  readonly trim: boolean;
}

export function formatCard(card: CardNumber, { decimal, trim }: CardFormat): CardNumber {
  let number = card.reveal();
  // Above 2^53 a Number would give another card.
  if (decimal && /^[0-9A-F]+$/i.test(number)) number = BigInt(`0x${number}`).toString();
  if (trim) number = number.replace(/^0+(?=.)/, '');
  return new CardNumber(number);
}
