/**
 * Blocks of one document on the disk, in a file without a name and without a key on any disk (INVARIANTS.md D7). The
 * file is made exclusively with the first block and unlinked at once. Each block is encrypted with AES-256-GCM (NIST SP
 * 800-38D: counter mode with a tag) under a random key that only this object holds. An I/O error is a `Problem`:
 * `spool-full` if there is no room, otherwise `spool-failed`.
 */
import type { KeyObject } from 'node:crypto';
import { createCipheriv, createDecipheriv, createSecretKey } from 'node:crypto';
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Chance } from '../../core/chance.ts';
import { Problem } from '../../domain/problem/problem.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;
const algorithm = 'aes-256-gcm';
const keyOctets = 32;
/** The cipher gets at most this much at a time: for more it would use fresh memory pages. */
const cipherOctets = 64 * 1024;

interface Sealed {
  readonly length: number;
  readonly tag: Buffer;
}

export class SealedFile implements Disposable {
  readonly #path: string;
  readonly #blockOctets: number;
  readonly #key: KeyObject;
  readonly #sealed = new Map<number, Sealed>();
  #handle: Promise<FileHandle> | undefined;

  /** No block may be longer than `blockOctets`. */
  constructor(directory: string, { blockOctets, chance }: { blockOctets: number; chance: Chance }) {
    this.#path = join(directory, chance.uuid());
    this.#blockOctets = blockOctets;
    const key = chance.bytes(keyOctets);
    this.#key = createSecretKey(key);
    key.fill(0);
  }

  has(number: number): boolean {
    return this.#sealed.has(number);
  }

  /** Each number may be written once. */
  async write(number: number, octets: Buffer): Promise<void> {
    this.#handle ??= ioStep('made', () => openUnnamed(this.#path));
    const cipher = createCipheriv(algorithm, this.#key, nonceOf(number));
    const encrypted = piecesOf(octets).map((piece) => cipher.update(piece));
    cipher.final();
    const tag = cipher.getAuthTag();
    const handle = await this.#handle;
    for (let done = 0; done < octets.length; ) {
      const rest = done === 0 ? encrypted : [Buffer.concat(encrypted).subarray(done)];
      const position = number * this.#blockOctets + done;
      done += (await ioStep('written', () => handle.writev(rest, position))).bytesWritten;
    }
    this.#sealed.set(number, { length: octets.length, tag });
    release(encrypted);
  }

  /** The block must have been written; `target` is room for the encrypted octets. */
  async read(number: number, target: Buffer): Promise<Buffer> {
    const block = this.#sealed.get(number);
    const handle = await this.#handle;
    if (block === undefined || handle === undefined) throw new Error(`block ${number} is not on the disk`);
    const position = number * this.#blockOctets;
    for (let done = 0; done < block.length; ) {
      const { bytesRead } = await ioStep('read', () =>
        handle.read(target, done, block.length - done, position + done),
      );
      if (bytesRead === 0) throw new Problem('spool-failed', 'the spool file is shorter than it was written');
      done += bytesRead;
    }
    return this.#decrypted(number, block, target.subarray(0, block.length));
  }

  [Symbol.dispose](): void {
    this.#sealed.clear();
    // The file has no name and nothing is written any more, so the result of closing does not matter.
    this.#handle?.then((handle) => handle.close()).catch(() => undefined);
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

/** Freed at once, because the garbage collector would leave hundreds of them. */
function release(pieces: readonly Buffer<ArrayBuffer>[]): void {
  for (const { buffer } of pieces) buffer.transfer(0);
}

/**
 * A nonce is never repeated: the key is for one file only, and each block is written once.
 *
 * +-------------+------------------------------------+
 * |   zeros     |  block number, high octet first    |
 * +-------------+------------------------------------+
 * |  8 octets   |  4 octets                          |
 */
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
