/**
 * Asks what lies on one reader of pcscd for its number: each card once when it comes, and again at a slow rate whether it
 * is still there. Some readers go on showing a card that is gone (a ghost) and read nobody's card meanwhile: such a
 * reader counts as down until it shows something else, or the card answers.
 */
import type { Duration } from '../../core/duration.ts';
import { longest, milliseconds, minutes, seconds, shortest } from '../../core/duration.ts';
import type { Env } from '../../domain/env.ts';
import type { CardNumber } from '../../domain/card/card-number.ts';
import { normaliseCard } from '../../domain/card/card-number.ts';
import type { ReaderLink } from '../intake/reader-link.ts';
import type { PcscClient } from './pcsc-client.ts';
import type { ReaderState } from './pcsc-messages.ts';
import type { CardPresence } from './pcsc-presence.ts';
import { refusal } from './pcsc-client.ts';
import { returnValue } from './pcsc-messages.ts';

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

interface SlotDeps extends Pick<Env, 'clock' | 'log'> {
  readonly name: string;
  readonly client: PcscClient;
  readonly presence: CardPresence;
  readonly link: ReaderLink;
}

export const createCardSlot = (deps: SlotDeps): CardSlot => new ReaderSlot(deps);

class ReaderSlot implements CardSlot {
  readonly #deps: SlotDeps;
  #occupant: Occupant | undefined;
  #emptySince: string | undefined;

  constructor(deps: SlotDeps) {
    this.#deps = deps;
  }

  quietFor(): Duration {
    if (!this.#occupant) return aliveWithin;
    const left = milliseconds(this.#occupant.askAt - this.#deps.clock.monotonic());
    return longest(milliseconds(0), shortest(aliveWithin, left));
  }

  async look(reader: ReaderState): Promise<void> {
    const { clock, link } = this.#deps;
    const event = `${reader.name} ${reader.events}`;
    if (reader.slot === 'empty') return this.#empty(event);
    if (this.#occupant?.event !== event) {
      this.#occupant = { event, askAt: clock.monotonic(), tries: 0, kind: 'unheard' };
    }
    if (this.#occupant.kind !== 'ghost') link.up();
    if (clock.monotonic() >= this.#occupant.askAt) await this.#ask(reader.name, this.#occupant);
  }

  lose(): void {
    this.#occupant = undefined;
    this.#emptySince = undefined;
  }

  #empty(event: string): void {
    const { presence, link } = this.#deps;
    const hasMissedCard =
      this.#occupant === undefined && this.#emptySince !== undefined && this.#emptySince !== event;
    if (hasMissedCard) presence.saw(undefined);
    this.#emptySince = event;
    this.#occupant = undefined;
    link.up();
    presence.sawNone();
  }

  async #ask(reader: string, occupied: Occupant): Promise<void> {
    const { client, link, clock } = this.#deps;
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
        return this.#tell(occupied, normaliseCard(answer.uid));
      case 'no-uid':
        askIn(lookAfter);
        return this.#tellUnreadable(occupied, { status: answer.status });
      case 'taken':
        return askIn(askAgainAfter);
      default:
        if (occupied.tries < mostTries) return askIn(askAgainAfter);
        askIn(occupied.card ? ghostLookAfter : lookAfter);
        return occupied.card ? this.#banish(occupied) : this.#tellUnreadable(occupied, { status: 'mute' });
    }
  }

  #tell(occupied: Occupant, card: CardNumber | undefined): void {
    if (card?.equals(occupied.card)) return;
    if (card) occupied.card = card;
    this.#deps.presence.saw(card);
  }

  /** What cannot be read is told of once. */
  #tellUnreadable(occupied: Occupant, reason: object): void {
    const { name, log, presence } = this.#deps;
    if (occupied.kind !== 'unheard') return;
    occupied.kind = 'heard';
    log.debug('card without a number', { reader: name, ...reason });
    presence.saw(undefined);
  }

  #banish(occupied: Occupant): void {
    const { presence, link } = this.#deps;
    if (occupied.kind === 'ghost') return;
    occupied.kind = 'ghost';
    presence.forget();
    link.down(
      new Error(
        'the reader shows a card that no longer answers. Take the card away, or unplug the reader and plug it in again',
      ),
    );
  }
}

/**
 * Asks the card on a PC/SC reader for its number: GET DATA with the UID, `FF CA 00 00 00` (PC/SC part 3, 3.2.2.1.3).
 * The reader answers it for contactless cards; a contact card has none.
 */
type CardAnswer =
  | { readonly kind: 'uid'; readonly uid: string }
  /** `status` is the card's status word, as in `6A81`. */
  | { readonly kind: 'no-uid'; readonly status: string }
  /** Another program has it for itself. */
  | { readonly kind: 'taken' }
  /** It is gone, moved too fast, or was never one. */
  | { readonly kind: 'mute' };

const getUid = Uint8Array.of(0xff, 0xca, 0x00, 0x00, 0x00);

const mute: ReadonlySet<number> = new Set([
  returnValue.unknownReader,
  returnValue.noSmartCard,
  returnValue.protoMismatch,
  returnValue.notReady,
  returnValue.commError,
  returnValue.notTransacted,
  returnValue.readerUnavailable,
  returnValue.unsupportedCard,
  returnValue.unresponsiveCard,
  returnValue.unpoweredCard,
  returnValue.resetCard,
  returnValue.removedCard,
]);

/** Rejects when pcscd does not let us, or is gone. */
async function askUid(client: PcscClient, reader: string): Promise<CardAnswer> {
  const connected = await client.connect(reader);
  const failed = failureOf(connected.value);
  if (failed) return failed;
  const { value, answer } = await client.transmit(connected, getUid);
  await client.disconnect(connected.card);
  return failureOf(value) ?? answerOf(answer);
}

function failureOf(value: number): CardAnswer | undefined {
  if (value === returnValue.success) return undefined;
  if (value === returnValue.sharingViolation) return { kind: 'taken' };
  if (mute.has(value)) return { kind: 'mute' };
  if (value === returnValue.securityViolation) {
    throw new Error('polkit refuses the card to this user; allow org.debian.pcsc-lite.access_card');
  }
  throw refusal('the card', value);
}

/** The UID, and two bytes of status. */
function answerOf(answer: Buffer): CardAnswer {
  const hex = answer.toString('hex').toUpperCase();
  const uid = hex.slice(0, -4);
  const status = hex.slice(-4);
  // No card has a UID of zeros alone: a reader that lost the card in between answers so.
  if (status === '9000' && /[^0]/.test(uid)) return { kind: 'uid', uid };
  return { kind: 'no-uid', status };
}
