/**
 * The keys that personal columns are sealed under, one for each release (INVARIANTS.md I4, I5), beside the database and
 * never in it: SQLite appends what it writes, and what it lets go of stays in freed blocks. Here a key has a slot, and is
 * destroyed by writing the next one over it; what was sealed under it is noise from then on, wherever a copy lies.
 * Every key stands twice, in blocks of which the second is written when the first is on disk: a torn write leaves the keys
 * beside it in the other. All slots hold keys at all times, so that a new release finds one and waits for no disk.
 */
import { createSecretKey } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Chance } from '../../core/chance.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { fileProblem, readIfPresent, writeDurably } from '../files/durable-file.ts';
import type { StandingFile } from '../files/standing-file.ts';
import { openStandingFile } from '../files/standing-file.ts';
import type { Sealing, Unsealing } from '../../core/sealing.ts';
import { createSealing, createUnsealing } from '../../core/sealing.ts';
import { together } from '../together.ts';

export const rowKeysName = 'row-keys';

const keyBytes = 32;
const blockBytes = 4096;
const slotsInBlock = blockBytes / keyBytes;
const copies = [0, 1] as const;
const pairBytes = copies.length * blockBytes;
/** So many slots are added at a time at most: a month without the service fills a hundred thousand. */
const mostAdded = 16 * slotsInBlock;

const placeOf = (slot: number, copy: number): number =>
  Math.floor(slot / slotsInBlock) * pairBytes + copy * blockBytes + (slot % slotsInBlock) * keyBytes;

export interface RowKeyReading {
  /** By each copy of the slot's key, which differ where the disk has damaged one; none where there is no such slot. */
  unsealings(slot: number): readonly Unsealing[];
}

export interface RowKeys extends RowKeyReading, Disposable {
  sealing(slot: number): Sealing;
  /** With a slot whose key nobody has used; it stays unused where the work throws. Throws `store-refused`, `store-failed`. */
  spend<T>(work: (slot: number) => T): T;
  /**
   * Their keys are nowhere when it resolves. Rejects with `store-failed`: the room is there, so any failure is the disk's
   * (D12). It is done beside the thread, which goes on.
   */
  destroy(...slots: readonly number[]): Promise<void>;
  /**
   * At a start, before anything is spent: destroys all keys but the used ones, which a crash may have kept from it. Of
   * a used slot the copy is named that is whole, and becomes both.
   */
  settle(used: ReadonlyMap<number, number>): void;
}

/** For who only reads: beside a running agent, or of books that were set aside. */
export function readRowKeys(path: string): RowKeyReading {
  const bytes = readIfPresent(path) ?? Buffer.alloc(0);
  return { unsealings: (slot) => keysIn(bytes, slot).map((key) => createUnsealing(createSecretKey(key))) };
}

const keysIn = (bytes: Buffer, slot: number): Buffer[] =>
  copies
    .map((copy) => bytes.subarray(placeOf(slot, copy), placeOf(slot, copy) + keyBytes))
    .filter((key) => key.length === keyBytes);

/** Makes the file where there is none. Throws `store-refused`, `store-failed`. */
export function openRowKeys({ path, chance }: { path: string; chance: Chance }): RowKeys {
  if (!existsSync(path)) writeDurably(path, filled(Buffer.alloc(pairBytes), 0, chance));
  return new RowKeyFile(path, chance);
}

type Place = readonly [start: number, length: number];

class RowKeyFile implements RowKeys {
  readonly #chance: Chance;
  readonly #file: StandingFile;
  /** As on disk. */
  #bytes: Buffer;
  readonly #unused: number[] = [];
  /** To be destroyed with the next ones. */
  readonly #spent: number[] = [];
  /** One after the other: of a block of keys one copy at a time is on its way to the disk. */
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

/** A file that was cut has its end again, with keys that fit nothing. */
const wholePairs = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes], Math.max(1, Math.ceil(bytes.length / pairBytes)) * pairBytes);

/** With fresh keys from that slot on. */
function filled(bytes: Buffer, from: number, chance: Chance): Buffer {
  for (let slot = from; slot < slotsOf(bytes); slot += 1) {
    const key = chance.bytes(keyBytes);
    for (const copy of copies) bytes.set(key, placeOf(slot, copy));
  }
  return bytes;
}
