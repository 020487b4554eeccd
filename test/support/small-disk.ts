/** A disk that can be filled: a file system of a few MiB in memory, mounted over a directory. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach } from 'vitest';
import { temporaryDirectory } from './temporary-directory.ts';

export interface SmallDisk extends Disposable {
  readonly path: string;
  /** Leaves room for so many bytes, none by default. */
  fill(leaving?: number): void;
  free(): void;
  /** From now on nothing can be written there, or again. */
  remount(as: 'ro' | 'rw'): void;
}

const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'pipe' });

/** `size` as mount(8) takes it: `1m`. The directory is made where it is missing. */
export function mountSmallDisk(path: string, { size }: { size: string }): SmallDisk {
  mkdirSync(path, { recursive: true });
  run('mount', '-t', 'tmpfs', '-o', `mode=0700,size=${size}`, 'tmpfs', path);
  const filler = join(path, 'filler');
  return {
    path,
    fill(leaving = 0) {
      const { bavail, bsize } = statfsSync(path);
      writeFileSync(filler, Buffer.alloc(bavail * bsize - leaving), { flag: 'a' });
    },
    free: () => rmSync(filler),
    remount: (as) => void run('mount', '-o', `remount,${as}`, path),
    [Symbol.dispose]() {
      // Lazily: an agent may still have its files open.
      run('umount', '--lazy', path);
    },
  };
}

/** Mounting takes root, and more than some containers give it; in CI it must be possible. Stands in a `describe`. */
export function needsMount(): void {
  try {
    using directory = temporaryDirectory();
    mountSmallDisk(directory.path, { size: '1m' })[Symbol.dispose]();
  } catch (error) {
    if (process.env['CI']) throw error;
    beforeEach(({ skip }) => skip('mounting a tmpfs is not allowed here: run the tests as root'));
  }
}
