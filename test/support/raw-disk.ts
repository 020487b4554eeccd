/**
 * A disk that can be read as a thief or a second-hand buyer reads it: a file system in an image file, blocks that are
 * free included.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach } from 'vitest';
import { temporaryDirectory } from './temporary-directory.ts';

export interface RawDisk extends Disposable {
  /** Every block that something was ever written to, as it is when all has come to rest. */
  image(): Buffer;
}

const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'pipe' });

/** Over this directory, which is made where it is missing. */
export function mountRawDisk(path: string, imageFile: string): RawDisk {
  mkdirSync(path, { recursive: true });
  run('/sbin/mkfs.ext4', '-q', '-E', 'root_owner', imageFile, '128m');
  run('mount', '-o', 'loop', imageFile, path);
  return {
    image() {
      run('sync', '--file-system', path);
      return writtenBlocks(readFileSync(imageFile));
    },
    [Symbol.dispose]() {
      // Lazily: an agent may still have its files open.
      run('umount', '--lazy', path);
    },
  };
}

const nothing = Buffer.alloc(4096);

function writtenBlocks(image: Buffer): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0; at < image.length; at += nothing.length) {
    const block = image.subarray(at, at + nothing.length);
    if (!block.equals(nothing)) blocks.push(block);
  }
  return Buffer.concat(blocks);
}

/** It takes root, mkfs.ext4(8) and loop devices; in CI they must be there. Stands in a `describe`. */
export function needsRawDisk(): void {
  try {
    using directory = temporaryDirectory();
    mountRawDisk(join(directory.path, 'disk'), join(directory.path, 'image'))[Symbol.dispose]();
  } catch (error) {
    if (process.env['CI']) throw error;
    beforeEach(({ skip }) => skip('no file system can be made and mounted here: run the tests as root'));
  }
}
