/**
 * One document in blocks: in memory as far as there is room for it, the rest on the disk (`sealed-file.ts`). Read from the
 * start, as often as wanted, also while it is still being written. One that passes, printed while it comes in, is let go
 * behind its reader: where the printer keeps up, no octet of it is written to any disk.
 */
import type { Chance } from '../../core/chance.ts';
import type { Clock } from '../../core/clock.ts';
import { milliseconds } from '../../core/duration.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { SealedFile } from './sealed-file.ts';
import type { SpoolMemory } from './spool-memory.ts';

/** Who reads a slow download waits for a whole one; on the disk each costs a step of the thread pool. */
const blockOctets = 256 * 1024;
/** In memory of one document, so that a large one leaves room to the others. */
const mostKept = 44;
/** The same in octets. */
export const mostInMemory = mostKept * blockOctets;
/** So many may be read of one that passes, and read again: a printer that refuses it says so by then. */
const keptUntilRead = 12;
const mostSpare = 4;
/**
 * Octets outside its heap do not make V8 collect: of a document that flows, tens of megabytes of chunks that nobody holds any
 * more would stand. Of what is young it is a matter of half a millisecond.
 */
const blocksPerCollection = 32;
/** 256 KiB in such a time are 12 MiB a second. */
const keepingUp = milliseconds(20);
/** On their way to the disk, while the next one fills. */
const writesAtOnce = 4;

export interface SpoolFileDeps {
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
  /** Plain, in the room that `#memory` has given. */
  readonly #kept = new Map<number, Buffer>();
  /** Plain, on their way to the disk. */
  readonly #leaving = new Map<number, Buffer>();
  readonly #writes: Promise<void>[] = [];
  #isPassing = false;
  #end: 'open' | 'sealed' | Problem = 'open';
  #news = Promise.withResolvers<void>();
  /** Of blocks that are on the disk by now, or behind: room for those that fill. */
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

  /** Nothing more is appended. Until then the last block, full or not, is held back from who reads. */
  async seal(): Promise<void> {
    if (this.#filled > 0) await this.#passOn();
    await Promise.all(this.#writes);
    this.#spare.length = 0;
    if (this.#end === 'open') this.#end = 'sealed';
    this.#tell();
  }

  /** From now on what was read lies behind: it may be read again only as long as little of it has been. */
  pass(): void {
    this.#isPassing = true;
  }

  /** What is missing will not come: who reads is told at once. */
  breakOff(problem: Problem): void {
    if (this.#end === 'open') this.#end = problem;
    this.#tell();
  }

  /** The plain octets from the start, in blocks of at most 256 KiB. Waits for those that are not there yet. */
  async *blocks(): AsyncGenerator<Buffer> {
    const target = Buffer.allocUnsafeSlow(blockOctets);
    let next = this.#blockAt(0, target);
    for (let number = 1; ; number += 1) {
      const block = await next;
      if (block === undefined) return;
      // Read while this one is on its way.
      next = this.#blockAt(number, target);
      next.catch(() => undefined);
      yield block;
      if (number % blocksPerCollection === 0) globalThis.gc?.({ type: 'minor' });
    }
  }

  [Symbol.dispose](): void {
    if (this.#end === this.#putAway) return;
    this.#end = this.#putAway;
    this.#tell();
    for (const number of this.#kept.keys()) this.#letGo(number);
    for (const octets of [...this.#spare, ...this.#leaving.values(), this.#filling]) octets?.fill(0);
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

  /** A moment: a printer that takes a block in it keeps up, and the disk would only cost both of them time. */
  async #untilRead(): Promise<void> {
    const early = new AbortController();
    this.#onLetGo = () => early.abort();
    await this.#clock.sleep(keepingUp, { signal: early.signal }).catch(() => undefined);
    this.#onLetGo = undefined;
  }

  async #writeOut(number: number, octets: Buffer): Promise<void> {
    const writing = this.#write(number, octets);
    // It is looked at some blocks later.
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

  #letGo(number: number): void {
    const octets = this.#kept.get(number);
    if (!octets) return;
    this.#kept.delete(number);
    this.#spareRoom(octets);
    this.#memory.give(blockOctets);
    this.#onLetGo?.();
  }

  /** Never for longer than a block that fills needs it: what is spared is not in the room that all share. */
  #spareRoom(octets: Buffer): void {
    if (octets.length === blockOctets && this.#spare.length < mostSpare) this.#spare.push(octets);
    else octets.fill(0);
  }

  #isToCome(number: number): boolean {
    return number >= this.#passed && this.#end === 'open';
  }

  #checkThere(): void {
    if (this.#end instanceof Problem) throw this.#end;
  }

  /** `undefined` behind the last one. */
  async #blockAt(number: number, target: Buffer): Promise<Buffer | undefined> {
    while (this.#isToCome(number)) await this.#news.promise;
    this.#checkThere();
    if (number >= this.#passed) return undefined;
    const near = this.#kept.get(number) ?? this.#leaving.get(number);
    if (near) {
      // Its room is used again. A copy that is soon over costs less than a block that has grown old before it is collected.
      const copy = Buffer.from(near);
      if (this.#isPassing && number >= keptUntilRead) {
        for (const behind of this.#kept.keys()) if (behind <= number) this.#letGo(behind);
      }
      return copy;
    }
    if (!this.#disk.has(number)) {
      throw new Problem(
        'document-cut',
        'the document was let go while it was printed, and is not here from its start',
      );
    }
    const block = await this.#disk.read(number, target);
    // It may have been disposed of meanwhile.
    this.#checkThere();
    return block;
  }
}
