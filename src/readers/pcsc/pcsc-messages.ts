/**
 * Encodes and decodes the messages between a client and pcscd (pcsc-lite, src/winscard_msg.h, eventhandler.h and
 * PCSC/pcsclite.h of 1.9.9 and 2.3.3). All numbers are 32 bits in the byte order of the machine. A request is a header
 * and a structure. An answer is the structure alone, so the client must know which answer it expects.
 */
import { endianness } from 'node:os';

/**
 * Minor versions of protocol 4 with the structures of this file: 4 since pcsc-lite 1.8.24, 5 since 2.3.0. Newer
 * versions speak 4 too.
 */
export const protocolMajor = 4;
export const knownMinors: readonly number[] = [4, 5];

/** The SCARD_* return values that the agent distinguishes. */
export const returnValue = {
  success: 0,
  unknownReader: 0x80100009,
  sharingViolation: 0x8010000b,
  noSmartCard: 0x8010000c,
  protoMismatch: 0x8010000f,
  notReady: 0x80100010,
  commError: 0x80100013,
  notTransacted: 0x80100016,
  readerUnavailable: 0x80100017,
  unsupportedCard: 0x80100065,
  unresponsiveCard: 0x80100066,
  unpoweredCard: 0x80100067,
  resetCard: 0x80100068,
  removedCard: 0x80100069,
  securityViolation: 0x8010006a,
} as const;

export const command = {
  establishContext: 0x01,
  connect: 0x04,
  disconnect: 0x06,
  transmit: 0x09,
  version: 0x11,
  waitReaderStateChange: 0x13,
  stopWaitingReaderStateChange: 0x14,
} as const;

/** Bytes of each answer. The answer to a transmission is followed by the bytes of the card. */
export const answerSize = {
  version: 12,
  establishContext: 12,
  connect: 152,
  disconnect: 12,
  transmit: 32,
  readerStates: 16 * 184,
  readerStateChange: 8,
} as const;

/** The longest answer of a card to a short command: 256 bytes, the status word, and the octets that pcsc-lite adds. */
export const longestCardAnswer = 264;

const readerStateSize = 184;
const nameSize = 128;
const scopeSystem = 2;
const shareShared = 2;
const protocolAny = 0x1 | 0x2;
const leaveCard = 0;
/** sizeof(SCARD_IO_REQUEST) of a 64-bit client. */
const protocolHeaderSize = 16;
const isLittleEndian = endianness() === 'LE';

export interface ReaderState {
  /** At most 127 bytes, each a character. pcscd expects this name in a connect request. */
  readonly name: string;
  /** Counts the cards that came and went since the reader was found. It starts anew when pcscd restarts. */
  readonly events: number;
  /** `unknown`: pcscd cannot talk to the reader. */
  readonly slot: 'empty' | 'occupied' | 'unknown';
}

export const versionRequest = (minor: number): Buffer => request(command.version, [protocolMajor, minor, 0]);

export const establishRequest = (): Buffer => request(command.establishContext, [scopeSystem, 0, 0]);

export const waitRequest = (): Buffer => request(command.waitReaderStateChange, []);

export const stopWaitingRequest = (): Buffer => request(command.stopWaitingReaderStateChange, []);

export function connectRequest({
  context,
  reader,
}: {
  readonly context: number;
  readonly reader: string;
}): Buffer {
  const name = Buffer.alloc(nameSize);
  name.write(reader, 0, nameSize - 1, 'latin1');
  return withHeader(command.connect, [
    wordsOf([context]),
    name,
    wordsOf([shareShared, protocolAny, 0, 0, 0]),
  ]);
}

export function transmitRequest({
  card,
  protocol,
  apdu,
}: {
  readonly card: number;
  readonly protocol: number;
  readonly apdu: Uint8Array;
}): Buffer {
  const head = request(command.transmit, [
    card,
    protocol,
    protocolHeaderSize,
    apdu.length,
    protocolAny,
    protocolHeaderSize,
    longestCardAnswer,
    0,
  ]);
  return Buffer.concat([head, apdu]);
}

export const disconnectRequest = (card: number): Buffer => request(command.disconnect, [card, leaveCard, 0]);

export const decodeVersion = (answer: Buffer) => ({
  major: wordAt(answer, 0),
  minor: wordAt(answer, 4),
  value: wordAt(answer, 8),
});

export const decodeContext = (answer: Buffer) => ({ context: wordAt(answer, 4), value: wordAt(answer, 8) });

export const decodeConnected = (answer: Buffer) => ({
  card: wordAt(answer, 4 + nameSize + 8),
  protocol: wordAt(answer, 4 + nameSize + 12),
  value: wordAt(answer, 4 + nameSize + 16),
});

export const decodeTransmitted = (answer: Buffer) => ({
  length: wordAt(answer, 24),
  value: wordAt(answer, 28),
});

/** Decodes the table of sixteen readers. Empty places are left out. */
export function decodeReaderStates(table: Buffer): ReaderState[] {
  const states: ReaderState[] = [];
  for (let at = 0; at + readerStateSize <= table.length; at += readerStateSize) {
    const name = nameAt(table, at);
    const events = wordAt(table, at + nameSize);
    if (name !== '') states.push({ name, events, slot: slotOf(wordAt(table, at + nameSize + 4)) });
  }
  return states;
}

function slotOf(bits: number): ReaderState['slot'] {
  if ((bits & 0x4) !== 0) return 'occupied';
  return (bits & 0x2) !== 0 ? 'empty' : 'unknown';
}

function nameAt(table: Buffer, at: number): string {
  const text = table.toString('latin1', at, at + nameSize - 1);
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}

const request = (what: number, words: readonly number[]): Buffer => withHeader(what, [wordsOf(words)]);

function withHeader(what: number, parts: readonly Buffer[]): Buffer {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([wordsOf([size, what]), ...parts]);
}

function wordsOf(words: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * words.length);
  for (const [index, word] of words.entries()) {
    if (isLittleEndian) bytes.writeUInt32LE(word, 4 * index);
    else bytes.writeUInt32BE(word, 4 * index);
  }
  return bytes;
}

const wordAt = (bytes: Buffer, at: number): number =>
  isLittleEndian ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
