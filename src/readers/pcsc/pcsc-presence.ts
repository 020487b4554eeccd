/**
 * What a card that lies on a reader means: one badge when it comes, one removal when it has gone for good. A card at the
 * edge of the field comes and goes many times a second, and a reader or pcscd that restarts finds the same card anew:
 * neither is a second badge, for that could release all or log out (I1).
 */
import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import type { CardNumber } from '../../domain/card/card-number.ts';
import type { CardReaderEvents } from '../../domain/ports/readers.ts';
import { createDebounce, stillThereFor } from '../intake/debounce.ts';
import { createFloodGate } from '../intake/flood.ts';

export interface CardPresence {
  /** A card was read, or none could be read of what is there. */
  saw(card: CardNumber | undefined): void;
  /** No card is there now. May be told again and again. */
  sawNone(): void;
  /** The card that was there is not coming back. */
  forget(): void;
  /** Nothing is told any more. */
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
  let lying: CardNumber | undefined;
  let leaving: unknown;

  function stays(): void {
    clock.clearTimeout(leaving);
    leaving = undefined;
  }

  function forget(): void {
    stays();
    const card = lying;
    lying = undefined;
    if (card) events.onRemoved?.({ reader: name, card });
  }

  return {
    saw(card) {
      const at = clock.monotonic();
      if (flood.isFlood(at)) return events.onFrame('flood');
      if (!card) return events.onFrame('garbage');
      if (card.equals(lying)) {
        stays();
        return events.onFrame('still-there');
      }
      const verdict = debounce.judge(card, at);
      if (verdict === 'accepted') forget();
      events.onFrame(verdict);
      if (verdict === 'second-card') log.info('second card ignored', { reader: name });
      if (verdict !== 'accepted') return;
      lying = card;
      events.onCard({ reader: name, card });
    },
    sawNone() {
      if (lying && leaving === undefined) leaving = clock.setTimeout(forget, stillThereFor);
    },
    forget,
    close: stays,
  };
}
