/**
 * Asks what lies on one reader of pcscd for its number: each card once when it comes, and again at a slow rate whether it
 * is still there. Some readers go on showing a card that is gone (a ghost) and read nobody's card meanwhile: such a
 * reader counts as down until it shows something else, or the card answers.
 */
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { longest, milliseconds, minutes, seconds, shortest } from '../../core/duration.ts';
import type { Log } from '../../core/log.ts';
import type { CardNumber } from '../../domain/card/card-number.ts';
import { normaliseCard } from '../../domain/card/card-number.ts';
import { askUid } from './pcsc-card.ts';
import type { PcscClient } from './pcsc-client.ts';
import type { ReaderState } from './pcsc-messages.ts';
import type { CardPresence } from './pcsc-presence.ts';
import type { ReaderLink } from '../intake/reader-link.ts';

/** So often pcscd is asked whether it is still there, while nothing happens. */
const aliveWithin = seconds(4);
/** A card that does not answer yet, for it comes slowly, or another program has it. */
const askAgainAfter = milliseconds(250);
const mostTries = 3;
/** A card that answered, or never will, is asked again. */
const lookAfter = minutes(1);
/** A ghost is: the next card that is laid on its reader may come through. */
const ghostLookAfter = seconds(5);

export interface CardSlot {
  /** How long nobody needs to look, as long as nothing changes. */
  quietFor(): Duration;
  look(reader: ReaderState): Promise<void>;
  /** The reader is gone; what lies on it is not known any more. */
  lose(): void;
}

interface Occupant {
  /** Another one with each card that comes. */
  readonly event: string;
  askAt: number;
  tries: number;
  card?: CardNumber;
  kind: 'unheard' | 'heard' | 'ghost';
}

export function createCardSlot(tools: {
  readonly name: string;
  readonly client: PcscClient;
  readonly presence: CardPresence;
  readonly link: ReaderLink;
  readonly clock: Clock;
  readonly log: Log;
}): CardSlot {
  const { name, client, presence, link, clock, log } = tools;
  let occupant: Occupant | undefined;
  let emptySince: string | undefined;

  /** What cannot be read is told of once. */
  function unreadable(occupied: Occupant, reason: object): void {
    if (occupied.kind !== 'unheard') return;
    occupied.kind = 'heard';
    log.debug('card without a number', { reader: name, ...reason });
    presence.saw(undefined);
  }

  async function ask(reader: string, occupied: Occupant): Promise<void> {
    const answer = await askUid(client, reader);
    const askIn = (span: Duration): void => {
      occupied.askAt = clock.monotonic() + span;
    };
    occupied.tries = answer.kind === 'mute' ? occupied.tries + 1 : 0;
    switch (answer.kind) {
      case 'uid':
        askIn(lookAfter);
        occupied.kind = 'heard';
        link.up();
        return tell(occupied, normaliseCard(answer.uid));
      case 'no-uid':
        askIn(lookAfter);
        return unreadable(occupied, { status: answer.status });
      case 'taken':
        return askIn(askAgainAfter);
      default:
        if (occupied.tries < mostTries) return askIn(askAgainAfter);
        askIn(occupied.card ? ghostLookAfter : lookAfter);
        return occupied.card ? banish(occupied) : unreadable(occupied, { status: 'mute' });
    }
  }

  function tell(occupied: Occupant, card: CardNumber | undefined): void {
    if (card?.equals(occupied.card)) return;
    if (card) occupied.card = card;
    presence.saw(card);
  }

  function banish(occupied: Occupant): void {
    if (occupied.kind === 'ghost') return;
    occupied.kind = 'ghost';
    presence.forget();
    link.down(
      new Error(
        'the reader shows a card that no longer answers. Take the card away, or unplug the reader and plug it in again',
      ),
    );
  }

  return {
    quietFor() {
      if (!occupant) return aliveWithin;
      const left = milliseconds(occupant.askAt - clock.monotonic());
      return longest(milliseconds(0), shortest(aliveWithin, left));
    },
    async look(reader) {
      const event = `${reader.name} ${reader.events}`;
      if (reader.slot === 'empty') {
        const hasMissedCard = occupant === undefined && emptySince !== undefined && emptySince !== event;
        if (hasMissedCard) presence.saw(undefined);
        emptySince = event;
        occupant = undefined;
        link.up();
        return presence.sawNone();
      }
      if (occupant?.event !== event) {
        occupant = { event, askAt: clock.monotonic(), tries: 0, kind: 'unheard' };
      }
      if (occupant.kind !== 'ghost') link.up();
      if (clock.monotonic() >= occupant.askAt) await ask(reader.name, occupant);
    },
    lose() {
      occupant = undefined;
      emptySince = undefined;
    },
  };
}
