/**
 * A virtual smart card on a virtual reader of vsmartcard (vpcd). The card is on the reader while the connection is
 * open. A message is a length of two bytes, big-endian, and the content: one byte is control, more bytes are a command.
 * The card answers like a contactless reader (PC/SC part 3, 3.2.2.1.3): with its UID.
 */
import { once } from 'node:events';
import type { NetConnectOpts } from 'node:net';
import { connect } from 'node:net';

export interface SmartCard extends AsyncDisposable {
  /** How often it was asked for its UID. */
  readonly asked: number;
}

/** The answer to reset of a contactless memory card (PC/SC part 3, 3.1.3.2.3). */
export const answerToReset = Buffer.from('3B8F8001804F0CA000000306030001000000006A', 'hex');
const askForAnswerToReset = 4;
const statusWord = { ok: '9000', functionNotSupported: '6A81', instructionNotSupported: '6D00' };

const askForUid = 'ffca0000';

/** The answer of a card to a command. */
export function answerOf(command: Buffer, uid?: string): Buffer {
  const apdu = command.toString('hex');
  if (!apdu.startsWith('ffca')) return Buffer.from(statusWord.instructionNotSupported, 'hex');
  if (!apdu.startsWith(askForUid) || uid === undefined)
    return Buffer.from(statusWord.functionNotSupported, 'hex');
  return Buffer.from(uid + statusWord.ok, 'hex');
}

/** Lays a card on the reader at the address. A card without a UID is a contact card. */
export async function laySmartCard(reader: NetConnectOpts, { uid }: { uid?: string }): Promise<SmartCard> {
  const socket = connect(reader);
  await once(socket, 'connect');
  let asked = 0;
  let heard = Buffer.alloc(0);

  const say = (content: Buffer): void => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(content.length);
    socket.write(Buffer.concat([length, content]));
  };
  const answer = (message: Buffer): void => {
    if (message.length > 1) {
      if (message.toString('hex').startsWith(askForUid) && uid !== undefined) asked += 1;
      return say(answerOf(message, uid));
    }
    if (message[0] === askForAnswerToReset) say(answerToReset);
  };

  socket.on('data', (bytes: Buffer) => {
    heard = Buffer.concat([heard, bytes]);
    while (heard.length >= 2 && heard.length >= 2 + heard.readUInt16BE()) {
      const end = 2 + heard.readUInt16BE();
      answer(heard.subarray(2, end));
      heard = heard.subarray(end);
    }
  });
  // If the reader goes, its card goes too.
  socket.on('error', () => {});

  return {
    get asked() {
      return asked;
    },
    async [Symbol.asyncDispose]() {
      if (socket.destroyed) return;
      socket.destroy();
      await once(socket, 'close');
    },
  };
}
