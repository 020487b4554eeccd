/**
 * Asks the card on a pcscd reader for its number: once when it comes, and later at a slow rate to see if it is still
 * there. Some readers keep showing a card that is gone (a ghost) and read no other card meanwhile. Such a reader counts
 * as down until it shows something else, or until the card answers.
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

/** While nothing happens, pcscd is checked at this interval. */
const aliveWithin = seconds(4);
/** The wait before the next try if a card does not answer yet, or if another program has it. */
const askAgainAfter = milliseconds(250);
const mostTries = 3;
/** The interval for a card that answered, or that will never answer. */
const lookAfter = minutes(1);
/** The interval for a ghost, because the next card on its reader may be readable. */
const ghostLookAfter = seconds(5);

export interface CardSlot {
  /** The longest wait until the next look, if nothing changes. */
  quietFor(): Duration;
  look(reader: ReaderState): Promise<void>;
  /** The reader is gone, so the card on it is unknown. */
  lose(): void;
}

interface Occupant {
  /** Changes with each card that comes. */
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

  /** An unreadable card is reported once. */
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
 * The answer of a card to GET DATA for the UID, `FF CA 00 00 00` (PC/SC part 3, 3.2.2.1.3). The reader answers this
 * command for contactless cards. A contact card has no UID.
 */
type CardAnswer =
  | { readonly kind: 'uid'; readonly uid: string }
  /** `status` is the card's status word, as in `6A81`. */
  | { readonly kind: 'no-uid'; readonly status: string }
  /** Another program has exclusive access to the card. */
  | { readonly kind: 'taken' }
  /** The card is gone, moved too fast, or the reader only seemed to see a card. */
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

/** Rejects if pcscd denies access, or if it is gone. */
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

/** The answer is the UID and two status bytes. */
function answerOf(answer: Buffer): CardAnswer {
  const hex = answer.toString('hex').toUpperCase();
  const uid = hex.slice(0, -4);
  const status = hex.slice(-4);
  // No card has a UID of zeros only. A reader that lost the card during the read answers with zeros.
  if (status === '9000' && /[^0]/.test(uid)) return { kind: 'uid', uid };
  return { kind: 'no-uid', status };
}
