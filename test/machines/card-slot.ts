/**
 * The card in a reader of QEMU (`ccid-card-passthru`): the protocol of vscclient(1), libcacard's vscard_common.h, over the
 * reader's socket. A message is its kind, the reader's number and the length of what follows, each of four octets.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { answerToReset, answerOf } from '../../src/simulator/reader/smart-card.ts';

const kind = { init: 1, readerAdd: 3, atr: 5, cardRemove: 6, apdu: 7 };
const noReader = 0xffff_ffff;
const headerSize = 12;

export interface CardSlot extends AsyncDisposable {
  lay(uid: string): void;
  takeAway(): void;
}

/** Of a reader that has just been plugged in. */
export async function openCardSlot(path: string): Promise<CardSlot> {
  const socket = connect(path);
  await once(socket, 'connect');
  let laid = '';
  let heard = Buffer.alloc(0);
  const say = (what: number, content: Buffer, reader = 0): void => {
    const header = Buffer.alloc(headerSize);
    header.writeUInt32BE(what, 0);
    header.writeUInt32BE(reader, 4);
    header.writeUInt32BE(content.length, 8);
    socket.write(Buffer.concat([header, content]));
  };
  socket.on('data', (bytes: Buffer) => {
    heard = Buffer.concat([heard, bytes]);
    while (heard.length >= headerSize && heard.length >= headerSize + heard.readUInt32BE(8)) {
      const end = headerSize + heard.readUInt32BE(8);
      const content = heard.subarray(headerSize, end);
      if (heard.readUInt32BE(0) === kind.apdu) say(kind.apdu, answerOf(content, laid));
      heard = heard.subarray(end);
    }
  });
  // It ends when the reader is pulled.
  socket.on('error', () => {});
  // Magic, version 0.0.2, no capabilities.
  say(kind.init, Buffer.from('VSCD\0\0\0\x02\0\0\0\0', 'latin1'), noReader);
  say(kind.readerAdd, Buffer.alloc(0), noReader);
  return {
    lay(uid) {
      laid = uid;
      say(kind.atr, answerToReset);
    },
    takeAway: () => say(kind.cardRemove, Buffer.alloc(0)),
    async [Symbol.asyncDispose]() {
      if (socket.destroyed) return;
      socket.destroy();
      await once(socket, 'close');
    },
  };
}
