/**
 * A file without a name, and without a key on any disk (reliability.md D7): made exclusively, unlinked at once, its
 * octets encrypted with AES-256-CTR under a random key that lives in this object alone. Appended to, then read from
 * the start. An I/O error is a `Problem`: `spool-full` where there is no room, else `spool-failed`.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Chance } from '../core/chance.ts';
import { Problem } from '../domain/problem.ts';

export interface SpoolFile extends Disposable {
  append(octets: Buffer): Promise<void>;
  /** The plain octets from the start, in blocks of at most 128 KiB. */
  blocks(): AsyncGenerator<Buffer>;
}

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;
const algorithm = 'aes-256-ctr';
const keyOctets = 32;
const blockOctets = 128 * 1024;
/** The key is used for this file only, so the counter may begin anywhere. */
const counterStart = Buffer.alloc(16);

export async function openSpoolFile(directory: string, chance: Chance): Promise<SpoolFile> {
  const handle = await ioStep('made', () => openUnnamed(join(directory, chance.uuid())));
  const key = chance.bytes(keyOctets);
  const cipher = createCipheriv(algorithm, key, counterStart);
  let length = 0;
  let isDisposed = false;

  async function append(octets: Buffer): Promise<void> {
    const encrypted = cipher.update(octets);
    for (let done = 0; done < encrypted.length; ) {
      const written = await ioStep('written', () =>
        handle.write(encrypted, done, encrypted.length - done, length + done),
      );
      done += written.bytesWritten;
    }
    length += encrypted.length;
  }

  async function* blocks(): AsyncGenerator<Buffer> {
    if (isDisposed) throw new Problem('spool-failed', 'the document was put away already');
    const decipher = createDecipheriv(algorithm, key, counterStart);
    const block = Buffer.alloc(Math.min(blockOctets, length));
    for (let position = 0; position < length; ) {
      const { bytesRead } = await ioStep('read', () => handle.read(block, 0, block.length, position));
      if (bytesRead === 0) throw new Problem('spool-failed', 'the spool file is shorter than it was written');
      yield decipher.update(block.subarray(0, bytesRead));
      position += bytesRead;
    }
  }

  return {
    append,
    blocks,
    [Symbol.dispose]() {
      if (isDisposed) return;
      isDisposed = true;
      key.fill(0);
      // The file has no name and nothing is written any more: how its closing ends is of no consequence.
      handle.close().catch(() => undefined);
    },
  };
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
