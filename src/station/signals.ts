/**
 * From a moment at the terminal to the light and beeper of the reader where that badge was held. A badge is found again
 * by its identity, not its number: it is known as long as the terminal knows it, and no longer (D3).
 */
import type { CardNumber } from '../domain/card/card-number.ts';
import type { ReaderSignal } from '../domain/ports/readers.ts';

export interface StationSignals {
  /** The card as the terminal is told of it. */
  heldAt(reader: string, card: CardNumber): void;
  /** To the reader where this card was held; to none where it was typed. */
  tell(signal: ReaderSignal, card: CardNumber): void;
}

export function stationSignals(readers: {
  signal(reader: string, signal: ReaderSignal): void;
}): StationSignals {
  const held = new WeakMap<CardNumber, string>();
  return {
    heldAt: (reader, card) => void held.set(card, reader),
    tell(signal, card) {
      const reader = held.get(card);
      if (reader !== undefined) readers.signal(reader, signal);
    },
  };
}
