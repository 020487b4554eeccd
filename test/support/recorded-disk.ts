/**
 * A disk that loses power: this kernel's own file system, over a file in which each write and flush is recorded by
 * `qemu-storage-daemon` (blklogwrites). `cut` makes the disk anew as a real one is after its power went: all that was
 * flushed is there, and of what came later as much as chance wants.
 *
 * The record (Linux, Documentation/admin-guide/device-mapper/log-writes.rst), numbers little-endian, padded to sectors:
 *
 *     0        8        16       24
 *     | magic  | version| entries| sector size (u32)        one sector
 *     | sector | sectors| flags  | octets of further data   one sector each entry, then its sectors
 */
import type { ChildProcess } from 'node:child_process';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  rmdirSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach } from 'vitest';
import type { Dice } from './dice.ts';
import { eventually } from './patience.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export const fileSystems = {
  ext4: { make: ['mkfs.ext4', '-q'], mount: [] },
  'ext4-journal': { make: ['mkfs.ext4', '-q'], mount: ['-o', 'data=journal'] },
  btrfs: { make: ['mkfs.btrfs', '-q'], mount: [] },
  xfs: { make: ['mkfs.xfs', '-q'], mount: [] },
} as const;
export type FileSystem = keyof typeof fileSystems;

export interface Cut {
  /** Writes that no flush had followed. */
  readonly unflushed: number;
  /** Of these, the ones that are gone, in part or whole. */
  readonly gone: number;
}

export interface RecordedDisk extends AsyncDisposable {
  /** Nobody may have a file of it open. */
  cut(dice: Dice): Promise<Cut>;
}

const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, {
    stdio: 'pipe',
    encoding: 'utf8',
    env: { ...process.env, PATH: `${process.env['PATH']}:/sbin:/usr/sbin` },
  });

/** More than what the agent calls filling; hardly any of it is ever written. */
const size = '1G';
const sectorSize = 512;
const flags = { flush: 1, fua: 2, discard: 4 };

/** Mounted over `path`, which is made where it is missing; its files are in `folder`. */
export async function mountRecordedDisk(
  path: string,
  { folder, fileSystem }: { readonly folder: string; readonly fileSystem: FileSystem },
): Promise<RecordedDisk> {
  const { make } = fileSystems[fileSystem];
  mkdirSync(path, { recursive: true });
  mkdirSync(folder, { recursive: true });
  const fresh = join(folder, 'fresh');
  writeFileSync(fresh, '');
  run('truncate', '-s', size, fresh);
  run(make[0], ...make.slice(1), fresh);
  const recording = new Recording(folder, fresh);
  await recording.begin(path, fileSystem);
  return {
    async cut(dice) {
      const before = recording.entries().length;
      // What is only in memory could have come to the disk by now, too, in this order: the file system's own.
      run('sync', '--file-system', path);
      const entries = recording.entries();
      await recording.end(path);
      const last = before + Math.floor(dice.number(entries.length - before + 1));
      const cut = recording.remake(entries.slice(0, last), dice);
      await recording.begin(path, fileSystem);
      return cut;
    },
    [Symbol.asyncDispose]: () => recording.end(path),
  };
}

interface Entry {
  readonly sector: number;
  readonly sectors: number;
  readonly flags: number;
  /** Where its data are in the record. */
  readonly at: number;
}

class Recording {
  readonly #base: string;
  readonly #disk: string;
  readonly #log: string;
  readonly #export: string;
  #daemon: ChildProcess | undefined;
  #device = '';

  constructor(folder: string, fresh: string) {
    this.#base = fresh;
    this.#disk = join(folder, 'disk');
    this.#log = join(folder, 'log');
    this.#export = join(folder, 'export');
  }

  async begin(path: string, fileSystem: FileSystem): Promise<void> {
    run('cp', '--sparse=always', this.#base, this.#disk);
    for (const file of [this.#log, this.#export]) writeFileSync(file, '');
    truncateSync(this.#log, 2 ** 31);
    const file = (name: string, filename: string) => [
      '--blockdev',
      `driver=file,node-name=${name},filename=${filename}`,
    ];
    this.#daemon = spawn(
      'qemu-storage-daemon',
      [
        ...file('disk', this.#disk),
        ...file('log', this.#log),
        '--blockdev',
        `driver=blklogwrites,node-name=recorded,file=disk,log=log,log-sector-size=${sectorSize}`,
        '--export',
        `fuse,id=export,node-name=recorded,mountpoint=${this.#export},writable=on`,
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    // The file has the size of the disk as soon as it is the export.
    await eventually(() => {
      if (statSync(this.#export).size === 0) throw new Error('qemu-storage-daemon exports no disk');
    });
    // Not with direct I/O: several writes would be under way at once, and blklogwrites of QEMU 7 mixes those up.
    this.#device = run('losetup', '--show', '--find', this.#export).trim();
    run('mount', ...fileSystems[fileSystem].mount, this.#device, path);
    chmodSync(path, 0o700);
    if (existsSync(join(path, 'lost+found'))) rmdirSync(join(path, 'lost+found'));
  }

  entries(): readonly Entry[] {
    const log = openSync(this.#log, 'r');
    const entries: Entry[] = [];
    try {
      const { size: end } = fstatSync(log);
      const head = Buffer.alloc(32);
      for (let at = sectorSize; at < end; ) {
        readSync(log, head, 0, head.length, at);
        const word = (offset: number) => Number(head.readBigUInt64LE(offset));
        const [sector, sectors, flag] = [word(0), word(8), word(16)] as const;
        // Behind the last entry there is nothing yet.
        if (sectors === 0 && flag === 0) break;
        entries.push({ sector, sectors, flags: flag, at: at + sectorSize });
        at += sectorSize + ((flag & flags.discard) === 0 ? sectors * sectorSize : 0);
      }
      return entries;
    } finally {
      closeSync(log);
    }
  }

  /** Unmounts, and ends the daemon; an agent that is still there fails it. */
  async end(path: string): Promise<void> {
    run('umount', path);
    run('losetup', '--detach', this.#device);
    const over = this.#daemon && once(this.#daemon, 'exit');
    this.#daemon?.kill();
    await over;
  }

  /** The disk as the next start finds it. */
  remake(entries: readonly Entry[], dice: Dice): Cut {
    const flushed = entries.findLastIndex(({ flags: flag }) => (flag & flags.flush) !== 0) + 1;
    const later = entries.slice(flushed).filter(({ sectors }) => sectors > 0);
    const keptOf = dice.one(keepers)(later.length, dice);
    const log = openSync(this.#log, 'r');
    const base = openSync(this.#base, 'r+');
    let gone = 0;
    try {
      for (const entry of entries.slice(0, flushed)) copySectors(log, base, entry, entry.sectors);
      for (const [index, entry] of later.entries()) {
        const isFlushed = (entry.flags & flags.fua) !== 0;
        const kept = isFlushed ? entry.sectors : Math.round(entry.sectors * keptOf(index));
        if (kept < entry.sectors) gone += 1;
        copySectors(log, base, entry, kept);
      }
    } finally {
      closeSync(log);
      closeSync(base);
    }
    return { unflushed: later.length, gone };
  }
}

/** Which share of a write is on the disk, by its place among those that no flush followed. */
type Keeper = (index: number) => number;

const keepers: readonly ((count: number, dice: Dice) => Keeper)[] = [
  // Nothing, or everything.
  () => () => 0,
  () => () => 1,
  // The first ones.
  (count, dice) => {
    const first = dice.number(count + 1);
    return (index) => (index + 1 <= first ? 1 : 0);
  },
  // Any of them.
  (_, dice) => () => (dice.happens(50) ? 1 : 0),
  // Torn: of some, only the first sectors.
  (_, dice) => () => (dice.happens(50) ? dice.number(1) : 1),
];

function copySectors(from: number, to: number, { sector, at, flags: flag }: Entry, sectors: number): void {
  const data = Buffer.alloc(sectors * sectorSize);
  // The kernel has blocks zeroed by a request that is recorded as a discard.
  if ((flag & flags.discard) === 0) readSync(from, data, 0, data.length, at);
  writeSync(to, data, 0, data.length, sector * sectorSize);
}

/**
 * It takes root, qemu-storage-daemon(1), mkfs and loop devices, which must be there in CI, and a kernel with FUSE. Stands
 * in a `describe`.
 */
export function needsRecordedDisk(): void {
  beforeEach(async ({ skip }) => {
    using directory = temporaryDirectory();
    try {
      const folder = join(directory.path, 'disk');
      const disk = await mountRecordedDisk(join(directory.path, 'state'), { folder, fileSystem: 'ext4' });
      await disk[Symbol.asyncDispose]();
    } catch (error) {
      if (process.env['CI'] && existsSync('/dev/fuse')) throw error;
      skip('no disk can be recorded here: it takes root, FUSE, and sh tools/setup --peers');
    }
  });
}
