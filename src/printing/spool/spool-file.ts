/**
 * A file without a name, and without a key on any disk (INVARIANTS.md D7): made exclusively, unlinked at once, its
 * octets encrypted in blocks with AES-256-GCM (NIST SP 800-38D: counter mode with a tag) under a random key that lives
 * in this object alone. Read from the start, as often as wanted, also while it is still being written. An I/O error
 * is a `Problem`: `spool-full` where there is no room, else `spool-failed`.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Chance } from '../../core/chance.ts';
import { Problem } from '../../domain/problem/problem.ts';

export interface SpoolFile extends Disposable {
  append(octets: Buffer): Promise<void>;
  /** Nothing more is appended. Until then the last block, full or not, is held back from who reads. */
  seal(): Promise<void>;
  /** What is missing will not come: who reads is told at once. */
  breakOff(problem: Problem): void;
  /** The plain octets from the start, in blocks of at most 256 KiB. Waits for those that are not there yet. */
  blocks(): AsyncGenerator<Buffer>;
}

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;
const algorithm = 'aes-256-gcm';
const keyOctets = 32;
/** Each costs a step of the thread pool; who reads a slow download waits for a whole one. */
const blockOctets = 256 * 1024;
/** The cipher is given so many at a time: what it makes of more comes in pages that were never touched before. */
const cipherOctets = 64 * 1024;
/** So many blocks stay at hand, plain: who reads close behind the writer need not fetch them from the disk. */
const blocksAtHand = 8;
/** Fewer than are at hand: a block that is not there any longer is on the disk. */
const writesAtOnce = 4;

/** A block as it was appended. */
interface AtHand {
  readonly number: number;
  readonly octets: Buffer;
}

/** A block on the disk. */
interface Sealed {
  readonly length: number;
  readonly tag: Buffer;
}

export async function openSpoolFile(directory: string, chance: Chance): Promise<SpoolFile> {
  const handle = await ioStep('made', () => openUnnamed(join(directory, chance.uuid())));
  return new UnnamedFile(handle, chance.bytes(keyOctets));
}

class UnnamedFile implements SpoolFile {
  readonly #handle: FileHandle;
  readonly #key: Buffer;
  readonly #putAway = new Problem('spool-failed', 'the document was put away already');
  readonly #sealed: Sealed[] = [];
  readonly #atHand: AtHand[] = [];
  /** Of the blocks before the present one, oldest first: they go to the disk while it fills. */
  readonly #writes: Promise<void>[] = [];
  #end: 'open' | 'sealed' | Problem = 'open';
  #news = Promise.withResolvers<void>();
  #plain: Buffer = Buffer.allocUnsafeSlow(blockOctets);
  #filled = 0;
  #passed = 0;

  constructor(handle: FileHandle, key: Buffer) {
    this.#handle = handle;
    this.#key = key;
  }

  async append(octets: Buffer): Promise<void> {
    for (let at = 0; at < octets.length; ) {
      if (this.#filled === blockOctets) await this.#passOn();
      const taken = octets.copy(this.#plain, this.#filled, at);
      this.#filled += taken;
      at += taken;
    }
  }

  async seal(): Promise<void> {
    if (this.#filled > 0) await this.#passOn();
    await Promise.all(this.#writes);
    // A document at rest is in memory no longer.
    this.#atHand.length = 0;
    this.#plain = Buffer.alloc(0);
    if (this.#end === 'open') this.#end = 'sealed';
    this.#tell();
  }

  breakOff(problem: Problem): void {
    if (this.#end === 'open') this.#end = problem;
    this.#tell();
  }

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
    }
  }

  [Symbol.dispose](): void {
    if (this.#end === this.#putAway) return;
    this.#end = this.#putAway;
    this.#tell();
    this.#key.fill(0);
    this.#plain.fill(0);
    // The file has no name and nothing is written any more: how its closing ends is of no consequence.
    this.#handle.close().catch(() => undefined);
  }

  #tell(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }

  async #passOn(): Promise<void> {
    const number = this.#passed;
    const octets = this.#plain.subarray(0, this.#filled);
    const cipher = createCipheriv(algorithm, this.#key, nonceOf(number));
    const encrypted = piecesOf(octets).map((piece) => cipher.update(piece));
    cipher.final();
    const block = { length: this.#filled, tag: cipher.getAuthTag() };
    this.#atHand.push({ number, octets });
    this.#passed += 1;
    this.#plain = this.#roomForAnother();
    this.#filled = 0;
    this.#tell();
    const writing = this.#write(encrypted, number, block);
    // It is looked at some blocks later.
    writing.catch(() => undefined);
    this.#writes.push(writing);
    if (this.#writes.length > writesAtOnce) await this.#writes.shift();
  }

  #roomForAnother(): Buffer {
    const oldest = this.#atHand.length > blocksAtHand ? this.#atHand.shift() : undefined;
    return oldest?.octets ?? Buffer.allocUnsafeSlow(blockOctets);
  }

  async #write(encrypted: readonly Buffer<ArrayBuffer>[], number: number, block: Sealed): Promise<void> {
    for (let done = 0; done < block.length; ) {
      const rest = done === 0 ? encrypted : [Buffer.concat(encrypted).subarray(done)];
      const position = number * blockOctets + done;
      const { bytesWritten } = await ioStep('written', () => this.#handle.writev(rest, position));
      done += bytesWritten;
    }
    this.#sealed[number] = block;
    release(encrypted);
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
    const near = this.#atHand.find((one) => one.number === number);
    // A copy that is soon over costs less than a block that has grown old by the time the collector must take it.
    if (near) return Buffer.from(near.octets);
    const block = this.#sealed[number];
    if (block === undefined) throw new Error('a block that is not at hand is on the disk');
    const position = number * blockOctets;
    for (let done = 0; done < block.length; ) {
      const { bytesRead } = await ioStep('read', () =>
        this.#handle.read(target, done, block.length - done, position + done),
      );
      if (bytesRead === 0) throw new Problem('spool-failed', 'the spool file is shorter than it was written');
      done += bytesRead;
    }
    // It may have been disposed of meanwhile.
    this.#checkThere();
    return this.#decrypted(number, block, target.subarray(0, block.length));
  }

  #decrypted(number: number, { tag }: Sealed, octets: Buffer): Buffer {
    const decipher = createDecipheriv(algorithm, this.#key, nonceOf(number));
    decipher.setAuthTag(tag);
    const opened = piecesOf(octets).map((piece) => decipher.update(piece));
    try {
      decipher.final();
      return Buffer.concat(opened, octets.length);
    } catch (cause) {
      throw new Problem('spool-failed', 'the spool file is not what was written to it', { cause });
    } finally {
      release(opened);
    }
  }
}

function piecesOf(octets: Buffer): Buffer[] {
  const count = Math.ceil(octets.length / cipherOctets);
  return Array.from({ length: count }, (_, at) =>
    octets.subarray(at * cipherOctets, (at + 1) * cipherOctets),
  );
}

/** Given back at once: the collector would let hundreds of them stand. */
function release(pieces: readonly Buffer<ArrayBuffer>[]): void {
  for (const { buffer } of pieces) buffer.transfer(0);
}

/** The key is used for one file only, and each block is written once. */
function nonceOf(block: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(block, 8);
  return nonce;
}

async function openUnnamed(path: string): Promise<FileHandle> {
  const handle = await open(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR, 0o600);
  try {
    await unlink(path);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const noRoom: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

async function ioStep<Result>(
  step: 'made' | 'written' | 'read',
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    const problem = noRoom.has(code) ? 'spool-full' : 'spool-failed';
    throw new Problem(problem, `the spool file could not be ${step}`, { cause });
  }
}
