/**
 * Turns the presence of a card into one badge when it comes and one removal when it has gone for good. A card at the
 * edge of the field comes and goes many times a second, and a restarted reader or pcscd finds the same card again.
 * Neither may count as a second badge, because that could release all documents or log out (I1).
 */
import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import type { CardNumber } from '../../domain/card/card-number.ts';
import type { CardReaderEvents } from '../../domain/ports/readers.ts';
import { createDebounce, createFloodGate, stillThereFor } from '../intake/debounce.ts';

export interface CardPresence {
  /** A card was read; `undefined` if the card could not be read. */
  saw(card: CardNumber | undefined): void;
  /** No card is there now. May be called repeatedly. */
  sawNone(): void;
  /** The card will not come back. */
  forget(): void;
  close(): void;
}

export function createCardPresence(options: {
  readonly name: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: CardReaderEvents;
}): CardPresence {
  const { name, clock, log, events } = options;
  const debounce = createDebounce();
  const flood = createFloodGate();
  /** The last badge, until it was away for long enough. */
  let presentCard: CardNumber | undefined;
  let leaving: unknown;

  function stays(): void {
    clock.clearTimeout(leaving);
    leaving = undefined;
  }

  function forget(): void {
    stays();
    const card = presentCard;
    presentCard = undefined;
    if (card) events.onRemoved?.({ reader: name, card });
  }

  return {
    saw(card) {
      const at = clock.monotonic();
      if (flood.isFlood(at)) return events.onFrame('flood');
      if (!card) return events.onFrame('garbage');
      if (card.equals(presentCard)) {
        stays();
        return events.onFrame('still-there');
      }
      const verdict = debounce.judge(card, at);
      if (verdict === 'accepted') forget();
      events.onFrame(verdict);
      if (verdict === 'second-card') log.info('second card ignored', { reader: name });
      if (verdict !== 'accepted') return;
      presentCard = card;
      events.onCard({ reader: name, card });
    },
    sawNone() {
      if (presentCard && leaving === undefined) leaving = clock.setTimeout(forget, stillThereFor);
    },
    forget,
    close: stays,
  };
}
