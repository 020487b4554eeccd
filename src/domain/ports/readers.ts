/** The port CardReader: where badges come from. */
import type { Service } from '../../core/service.ts';
import type { CardNumber } from '../card.ts';
import type { Problem } from '../problem.ts';

export interface CardRead {
  readonly reader: string;
  readonly card: CardNumber;
}

/** Runs for ever: opens the device, reads, reopens it when it goes. */
export interface CardReader extends Service {
  readonly name: string;
}

export interface CardReaderEvents {
  onCard(read: CardRead): void;
  onUp(): void;
  onDown(problem: Problem): void;
  /** A frame that cannot be a card number was thrown away. */
  onGarbage(): void;
}
