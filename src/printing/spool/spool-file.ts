/**
 * One document in blocks: in memory while there is room, the rest on the disk (`sealed-file.ts`). It can be read from
 * the start, as often as needed, also while it is being written. A document that is printed while it comes in is freed
 * behind its reader, so if the printer keeps up, no octet is written to any disk.
 */
import type { Chance } from '../../core/chance.ts';
import type { Clock } from '../../core/clock.ts';
import { milliseconds } from '../../core/duration.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { SealedFile } from './sealed-file.ts';

/**
 * The reader of a slow download waits for a whole block, and on the disk each block costs a step of the thread pool.
 */
const blockOctets = 256 * 1024;
/** Blocks of one document in memory; a limit, so that a large document leaves room to others. */
const mostKept = 44;
/** The same in octets. */
export const mostInMemory = mostKept * blockOctets;
/**
 * Blocks that stay after they were read, so that they can be read again: a printer that refuses the document does so by
 * then.
 */
const keptUntilRead = 12;
const mostSpare = 4;
/**
 * V8 does not collect because of octets outside its heap, so tens of megabytes of unused chunks would stay. Collecting
 * the young ones takes half a millisecond.
 */
const blocksPerCollection = 32;
/** 256 KiB in this time are 12 MiB a second. */
const keepingUp = milliseconds(20);
/** Blocks on their way to the disk while the next block fills. */
const writesAtOnce = 4;

interface SpoolFileDeps {
  readonly directory: string;
  readonly chance: Chance;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly memory: SpoolMemory;
}

export class SpoolFile implements Disposable {
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #memory: SpoolMemory;
  readonly #disk: SealedFile;
  readonly #putAway = new Problem('spool-failed', 'the document was put away already');
  /** Plain blocks, within the room from `#memory`. */
  readonly #kept = new Map<number, Buffer>();
  /** Blocks that a reader has at the moment. */
  readonly #lent = new Set<Buffer>();
  /** Plain blocks on their way to the disk. */
  readonly #leaving = new Map<number, Buffer>();
  readonly #writes: Promise<void>[] = [];
  #isPassing = false;
  #end: 'open' | 'sealed' | Problem = 'open';
  #news = Promise.withResolvers<void>();
  /** Room of blocks that are now on the disk or freed, for blocks that fill. */
  readonly #spare: Buffer[] = [];
  #filling: Buffer | undefined;
  #filled = 0;
  #passed = 0;
  #onLetGo: (() => void) | undefined;

  constructor({ directory, chance, clock, memory }: SpoolFileDeps) {
    this.#clock = clock;
    this.#memory = memory;
    this.#disk = new SealedFile(directory, { blockOctets, chance });
  }

  async append(octets: Buffer): Promise<void> {
    for (let at = 0; at < octets.length; ) {
      if (this.#filled === blockOctets) await this.#passOn();
      const taken = octets.copy(this.#roomToFill(), this.#filled, at);
      this.#filled += taken;
      at += taken;
    }
  }

  /** Nothing more is appended. Until then the last block, full or not, is not given to readers. */
  async seal(): Promise<void> {
    if (this.#filled > 0) await this.#passOn();
    await Promise.all(this.#writes);
    this.#spare.length = 0;
    if (this.#end === 'open') this.#end = 'sealed';
    this.#tell();
  }

  /**
   * From now on blocks that were read are freed, except the first few, so reading again is possible only for a short
   * time.
   */
  pass(): void {
    this.#isPassing = true;
  }

  /** The rest will not come; readers are told at once. */
  breakOff(problem: Problem): void {
    if (this.#end === 'open') this.#end = problem;
    this.#tell();
  }

  /**
   * The plain octets from the start, in blocks of at most 256 KiB. Waits for blocks that are not there yet. A block is
   * lent: its octets are good until the next one is asked for.
   */
  async *blocks(): AsyncGenerator<Buffer> {
    const target = Buffer.allocUnsafeSlow(blockOctets);
    let next = this.#blockAt(0, target);
    for (let number = 0; ; number += 1) {
      const block = await next;
      if (block === undefined) return;
      if (this.#end === this.#putAway) throw this.#putAway;
      // The next block is read while this block is in use.
      next = this.#blockAt(number + 1, target);
      next.catch(() => undefined);
      this.#lent.add(block);
      try {
        yield block;
      } finally {
        this.#takeBack(number, block);
      }
      if (number % blocksPerCollection === 0) globalThis.gc?.({ type: 'minor' });
    }
  }

  [Symbol.dispose](): void {
    if (this.#end === this.#putAway) return;
    this.#end = this.#putAway;
    this.#tell();
    for (const number of this.#kept.keys()) this.#letGo(number);
    for (const octets of [...this.#spare, ...this.#leaving.values(), this.#filling]) this.#erase(octets);
    this.#disk[Symbol.dispose]();
  }

  #tell(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }

  #roomToFill(): Buffer {
    this.#filling ??= this.#spare.pop() ?? Buffer.allocUnsafeSlow(blockOctets);
    return this.#filling;
  }

  async #passOn(): Promise<void> {
    if (this.#isPassing && this.#kept.size >= mostKept) await this.#untilRead();
    this.#checkThere();
    const number = this.#passed;
    const octets = this.#roomToFill().subarray(0, this.#filled);
    this.#filling = undefined;
    this.#filled = 0;
    const isKept = this.#kept.size < mostKept && this.#memory.take(blockOctets);
    if (isKept) this.#kept.set(number, octets);
    const written = isKept ? undefined : this.#writeOut(number, octets);
    this.#passed += 1;
    this.#tell();
    await written;
  }

  /** Waits a moment: if the printer takes a block in it, the printer keeps up, and the disk would only cost time. */
  async #untilRead(): Promise<void> {
    const early = new AbortController();
    this.#onLetGo = () => early.abort();
    await this.#clock.sleep(keepingUp, { signal: early.signal }).catch(() => undefined);
    this.#onLetGo = undefined;
  }

  async #writeOut(number: number, octets: Buffer): Promise<void> {
    const writing = this.#write(number, octets);
    // Its result is awaited some blocks later.
    writing.catch(() => undefined);
    this.#writes.push(writing);
    if (this.#writes.length > writesAtOnce) await this.#writes.shift();
  }

  async #write(number: number, octets: Buffer): Promise<void> {
    this.#leaving.set(number, octets);
    await this.#disk.write(number, octets);
    this.#leaving.delete(number);
    this.#spareRoom(octets);
  }

  #takeBack(number: number, block: Buffer): void {
    this.#lent.delete(block);
    if (this.#end === this.#putAway) block.fill(0);
    if (!this.#isPassing || number < keptUntilRead) return;
    for (const behind of this.#kept.keys()) if (behind <= number) this.#letGo(behind);
  }

  #letGo(number: number): void {
    const octets = this.#kept.get(number);
    if (!octets) return;
    this.#kept.delete(number);
    this.#spareRoom(octets);
    this.#memory.give(blockOctets);
    this.#onLetGo?.();
  }

  /** Kept only until the next block needs it, because spare room is not counted in the shared memory. */
  #spareRoom(octets: Buffer): void {
    if (octets.length === blockOctets && this.#spare.length < mostSpare) this.#spare.push(octets);
    else this.#erase(octets);
  }

  /** What a reader still has may be on its way to a printer, and is overwritten when it comes back. */
  #erase(octets: Buffer | undefined): void {
    if (octets && !this.#lent.has(octets)) octets.fill(0);
  }

  #isToCome(number: number): boolean {
    return number >= this.#passed && this.#end === 'open';
  }

  #checkThere(): void {
    if (this.#end instanceof Problem) throw this.#end;
  }

  /** `undefined` after the last block. */
  async #blockAt(number: number, target: Buffer): Promise<Buffer | undefined> {
    while (this.#isToCome(number)) await this.#news.promise;
    this.#checkThere();
    if (number >= this.#passed) return undefined;
    const kept = this.#kept.get(number);
    if (kept) return kept;
    const leaving = this.#leaving.get(number);
    // A copy, because its room is used again as soon as it is on the disk.
    if (leaving) return Buffer.from(leaving);
    if (!this.#disk.has(number)) {
      throw new Problem(
        'document-cut',
        'the document was let go while it was printed, and is not here from its start',
      );
    }
    const block = await this.#disk.read(number, target);
    // It may have been disposed of in the meantime.
    this.#checkThere();
    return block;
  }
}

/** The memory that all documents of an agent share. A document that gets none goes to the disk. */
export class SpoolMemory {
  #left: number;

  /** In octets. */
  constructor(size: number) {
    this.#left = size;
  }

  /** Whether there was room for this many octets; they then belong to the caller. */
  take(octets: number): boolean {
    if (!this.has(octets)) return false;
    this.#left -= octets;
    return true;
  }

  has(octets: number): boolean {
    return octets <= this.#left;
  }

  give(octets: number): void {
    this.#left += octets;
  }
}
