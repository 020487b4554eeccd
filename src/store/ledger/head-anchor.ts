/**
 * The head of the event chain in a file beside the database (INVARIANTS.md B.1 "Head anchor"). SQLite silently drops a
 * damaged end of its log, and only this file can show that something was there. Two slots of one sector each are
 * written in turn and in place, so a torn write leaves the other slot.
 */
import { crc32 } from 'node:zlib';
import { Problem } from '../../domain/problem/problem.ts';
import { openStandingFile, readIfPresent, readUnlessBad, writeDurably } from '../files/durable-file.ts';
import type { Head } from '../event-chain.ts';
import { genesis } from '../event-chain.ts';

export const anchorName = 'ledger-head';

const slotSize = 512;
const slotCount = 2;
/**
 * One slot, numbers with the low octet first:
 *
 * +------------+----------------+------------+-------------+
 * |    seq     |  hash of event |   CRC-32   |    zeros    |
 * +------------+----------------+------------+-------------+
 * |  8 octets  |   32 octets    |  4 octets  |  to 512     |
 *
 * The CRC-32 covers seq and hash. The file has two such slots.
 */
const hashAt = 8;
const crcAt = hashAt + genesis.hash.length;

export interface HeadAnchor extends Disposable {
  /**
   * On disk when it returns. Throws `store-failed`: the room is already there, so any failure comes from the disk
   * (D12).
   */
  hold(head: Head): void;
  /** As `hold`, on disk when it resolves; one call at a time. */
  holdBeside(head: Head): Promise<void>;
}

/** `undefined`: no slot can be read; `absent`: there is no such file. */
export function readHeadAnchor(path: string): Head | 'absent' | undefined {
  const bytes = readUnlessBad(path);
  if (bytes === 'bad') return undefined;
  return bytes === undefined ? 'absent' : newestOf(slotsOf(bytes))?.head;
}

/** Called before the database is made, so that every database with events has an anchor. */
export const createHeadAnchor = (path: string): void =>
  writeDurably(path, Buffer.concat([slotWith(genesis), slotWith(genesis)]));

/** The file must be readable. */
export function openHeadAnchor(path: string): HeadAnchor {
  const file = openStandingFile(path);
  let newest = newestOf(slotsOf(readIfPresent(path) ?? Buffer.alloc(0)))?.slot ?? 0;
  const write = (head: Head) => {
    newest = (newest + 1) % slotCount;
    file.write(slotWith(head), newest * slotSize);
  };
  const failed = (cause: unknown) =>
    new Problem('store-failed', `${path}: the head of the ledger could not be written`, { cause });
  return {
    hold(head) {
      try {
        write(head);
        file.sync();
      } catch (cause) {
        throw failed(cause);
      }
    },
    async holdBeside(head) {
      try {
        write(head);
        await file.syncBeside();
      } catch (cause) {
        throw failed(cause);
      }
    },
    [Symbol.dispose]: () => file[Symbol.dispose](),
  };
}

function slotWith({ seq, hash }: Head): Buffer {
  const slot = Buffer.alloc(slotSize);
  slot.writeBigUInt64LE(BigInt(seq));
  slot.set(hash, hashAt);
  slot.writeUInt32LE(crc32(slot.subarray(0, crcAt)), crcAt);
  return slot;
}

function headIn(slot: Buffer): Head | undefined {
  if (slot.length < slotSize || crc32(slot.subarray(0, crcAt)) !== slot.readUInt32LE(crcAt)) return undefined;
  return { seq: Number(slot.readBigUInt64LE()), hash: slot.subarray(hashAt, crcAt) };
}

const slotsOf = (bytes: Buffer): (Head | undefined)[] =>
  Array.from({ length: slotCount }, (_, slot) =>
    headIn(bytes.subarray(slot * slotSize, (slot + 1) * slotSize)),
  );

function newestOf(slots: readonly (Head | undefined)[]): { slot: number; head: Head } | undefined {
  let newest: { slot: number; head: Head } | undefined;
  for (const [slot, head] of slots.entries()) {
    if (head && (!newest || head.seq > newest.head.seq)) newest = { slot, head };
  }
  return newest;
}
