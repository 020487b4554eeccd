/**
 * Asks the card on a PC/SC reader for its number: GET DATA with the UID, `FF CA 00 00 00` (PC/SC part 3, 3.2.2.1.3).
 * The reader answers it for contactless cards; a contact card has none.
 */
import type { PcscClient } from './pcsc-client.ts';
import { refusal } from './pcsc-client.ts';
import { returnValue } from './pcsc-messages.ts';

export type CardAnswer =
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
export async function askUid(client: PcscClient, reader: string): Promise<CardAnswer> {
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
