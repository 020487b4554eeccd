/**
 * The keys for personal columns, one for each release (INVARIANTS.md I4, I5), beside the database and never in it:
 * SQLite leaves old content in freed blocks. A key is destroyed by writing the next key over its slot; every copy of
 * text under it is unreadable from then on. All slots hold keys at all times, so a new release need not wait for the
 * disk.
 */
import { createSecretKey } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Chance } from '../../core/chance.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { fileProblem, openStandingFile, readIfPresent, writeDurably } from '../files/durable-file.ts';
import type { StandingFile } from '../files/durable-file.ts';
import type { Sealing, Unsealing } from '../../core/sealing.ts';
import { createSealing, createUnsealing } from '../../core/sealing.ts';
import { together } from '../ledger/group-commit.ts';

export const rowKeysName = 'row-keys';

const keyBytes = 32;
const blockBytes = 4096;
const slotsInBlock = blockBytes / keyBytes;
const copies = [0, 1] as const;
const pairBytes = copies.length * blockBytes;
/** At most this many slots are added at a time. A month without the service fills a hundred thousand. */
const mostAdded = 16 * slotsInBlock;

/**
 * The file consists of pairs of blocks. The second block of a pair is written when the first is on disk, so a torn
 * write leaves the keys beside it in the other block:
 *
 * +----------------+-----+------------------+----------------+-----+------------------+-----
 * | key of slot 0  | ... | key of slot 127  | key of slot 0  | ... | key of slot 127  | next
 * |                |     |                  | (second copy)  |     | (second copy)    | pair
 * +----------------+-----+------------------+----------------+-----+------------------+-----
 * |   32 octets    |     |    32 octets     |
 * |<------------ 4096 octets ------------->|<------------ 4096 octets ------------->|
 */
const placeOf = (slot: number, copy: number): number =>
  Math.floor(slot / slotsInBlock) * pairBytes + copy * blockBytes + (slot % slotsInBlock) * keyBytes;

export interface RowKeyReading {
  /**
   * One for each copy of the slot's key; the copies differ if the disk has damaged one. Empty if there is no such slot.
   */
  unsealings(slot: number): readonly Unsealing[];
}

export interface RowKeys extends RowKeyReading, Disposable {
  sealing(slot: number): Sealing;
  /**
   * Gives an unused slot to the work; the slot stays unused if the work throws. Throws `store-refused`, `store-failed`.
   */
  spend<T>(work: (slot: number) => T): T;
  /**
   * Destroys the keys beside the thread; when it resolves, they are gone. Rejects with `store-failed`: the room is
   * already there, so any failure comes from the disk (D12).
   */
  destroy(...slots: readonly number[]): Promise<void>;
  /**
   * Called at a start before any slot is spent: destroys all keys but the used ones, because a crash may have prevented
   * that. For each used slot the caller names the whole copy, and it becomes both copies.
   */
  settle(used: ReadonlyMap<number, number>): void;
}

/** For a program that only reads: beside a running agent, or books that were set aside. */
export function readRowKeys(path: string): RowKeyReading {
  const bytes = readIfPresent(path) ?? Buffer.alloc(0);
  return { unsealings: (slot) => keysIn(bytes, slot).map((key) => createUnsealing(createSecretKey(key))) };
}

const keysIn = (bytes: Buffer, slot: number): Buffer[] =>
  copies
    .map((copy) => bytes.subarray(placeOf(slot, copy), placeOf(slot, copy) + keyBytes))
    .filter((key) => key.length === keyBytes);

/** Makes the file if there is none. Throws `store-refused`, `store-failed`. */
export function openRowKeys({ path, chance }: { path: string; chance: Chance }): RowKeys {
  if (!existsSync(path)) writeDurably(path, filled(Buffer.alloc(pairBytes), 0, chance));
  return new RowKeyFile(path, chance);
}

type Place = readonly [start: number, length: number];

class RowKeyFile implements RowKeys {
  readonly #chance: Chance;
  readonly #file: StandingFile;
  /** The same bytes as on disk. */
  #bytes: Buffer;
  readonly #unused: number[] = [];
  /** Slots whose keys the next run destroys. */
  readonly #spent: number[] = [];
  /** One run at a time: only one copy of a block may be on its way to the disk. */
  readonly #destroySpent = together(() => this.#destroy(this.#spent.splice(0)));

  constructor(path: string, chance: Chance) {
    this.#chance = chance;
    this.#bytes = wholePairs(readIfPresent(path) ?? Buffer.alloc(0));
    this.#file = openStandingFile(path);
  }

  unsealings(slot: number): readonly Unsealing[] {
    return keysIn(this.#bytes, slot).map((key) => createUnsealing(createSecretKey(key)));
  }

  sealing(slot: number): Sealing {
    const start = placeOf(slot, 0);
    const key = createSecretKey(this.#bytes.subarray(start, start + keyBytes));
    return createSealing({ key, chance: this.#chance });
  }

  spend<T>(work: (slot: number) => T): T {
    if (this.#unused.length === 0) this.#grow();
    const slot = this.#unused.shift() ?? 0;
    try {
      return work(slot);
    } catch (error) {
      this.#unused.push(slot);
      throw error;
    }
  }

  destroy(...slots: readonly number[]): Promise<void> {
    this.#spent.push(...slots);
    return this.#destroySpent();
  }

  async #destroy(slots: readonly number[]): Promise<void> {
    const keys = slots.map((slot) => ({ slot, key: this.#chance.bytes(keyBytes) }));
    for (const copy of copies) {
      for (const { slot, key } of keys) this.#bytes.set(key, placeOf(slot, copy));
      try {
        this.#write(slots.map((slot) => [placeOf(slot, copy), keyBytes]));
        await this.#file.syncBeside();
      } catch (cause) {
        throw this.#notOverwritten(cause);
      }
    }
    this.#unused.push(...slots);
  }

  settle(used: ReadonlyMap<number, number>): void {
    const bytes = this.#bytes;
    const fresh = this.#chance.bytes(slotsOf(bytes) * keyBytes);
    for (const [slot, copy] of used) {
      const start = placeOf(slot, copy);
      bytes.copy(fresh, slot * keyBytes, start, start + keyBytes);
    }
    for (const copy of copies) {
      const blocks: Place[] = [];
      for (let slot = 0; slot < slotsOf(bytes); slot += slotsInBlock) {
        fresh.copy(bytes, placeOf(slot, copy), slot * keyBytes, slot * keyBytes + blockBytes);
        blocks.push([placeOf(slot, copy), blockBytes]);
      }
      try {
        this.#write(blocks);
        this.#file.sync();
      } catch (cause) {
        throw this.#notOverwritten(cause);
      }
    }
    fresh.fill(0);
    for (let slot = 0; slot < slotsOf(bytes); slot += 1) if (!used.has(slot)) this.#unused.push(slot);
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
  }

  #write(places: readonly Place[]): void {
    for (const [start, length] of places) {
      this.#file.write(this.#bytes.subarray(start, start + length), start);
    }
  }

  #notOverwritten(cause: unknown): Problem {
    return new Problem('store-failed', `${this.#file.path}: a key could not be overwritten`, { cause });
  }

  #grow(): void {
    const bytes = this.#bytes;
    const before = bytes.length;
    const added = Math.min(mostAdded, slotsOf(bytes));
    const room = Buffer.alloc(before + added * copies.length * keyBytes);
    bytes.copy(room);
    filled(room, slotsOf(bytes), this.#chance);
    try {
      this.#file.write(room.subarray(before), before);
      this.#file.sync();
    } catch (error) {
      const problem = fileProblem(this.#file.path, error);
      if (problem.code === 'store-refused') this.#file.cutTo(before);
      throw problem;
    }
    for (let slot = slotsOf(bytes); slot < slotsOf(room); slot += 1) this.#unused.push(slot);
    this.#bytes = room;
  }
}

const slotsOf = ({ length }: Buffer): number => (length / pairBytes) * slotsInBlock;

/** Completes a file that was cut, with keys that fit nothing. */
const wholePairs = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes], Math.max(1, Math.ceil(bytes.length / pairBytes)) * pairBytes);

/** Fills the slots from `from` on with fresh keys. */
function filled(bytes: Buffer, from: number, chance: Chance): Buffer {
  for (let slot = from; slot < slotsOf(bytes); slot += 1) {
    const key = chance.bytes(keyBytes);
    for (const copy of copies) bytes.set(key, placeOf(slot, copy));
  }
  return bytes;
}
