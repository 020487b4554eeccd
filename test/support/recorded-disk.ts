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
import { execFileSync, spawn, spawnSync } from 'node:child_process';
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
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach } from 'vitest';
import type { Dice } from './dice.ts';
import { diceOf } from './dice.ts';
import { eventually } from './patience.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export const fileSystems = {
  ext4: { make: ['mkfs.ext4', '-q'], mount: [] },
  'ext4-journal': { make: ['mkfs.ext4', '-q'], mount: ['-o', 'data=journal'] },
  btrfs: { make: ['mkfs.btrfs', '-q'], mount: [] },
  // A namespace that came into being meanwhile still has the disk before mounted, by the same UUID.
  xfs: { make: ['mkfs.xfs', '-q'], mount: ['-o', 'nouuid'] },
} as const;
export type FileSystem = keyof typeof fileSystems;

export interface RecordedDisk extends AsyncDisposable {
  /** Nobody may have a file of it open. Gives how many of the writes that no flush followed are gone, in part or whole. */
  cut(dice: Dice): Promise<number>;
  /** How many writes and flushes there were so far. */
  recorded(): number;
  /** Unmounts it for good, so that it can be mounted as it was at its flushes. */
  end(): Promise<History>;
}

/** Of a disk that is not mounted any more. */
export interface History {
  /** How many writes and flushes there had been with each flush that wrote something. */
  readonly flushes: readonly number[];
  /**
   * Mounts the disk where it was, as it came out of one of its flushes, and of what was written until the next one so
   * much as `rest` says. Only forward: never an earlier flush than the time before.
   */
  mountAt(flush: number, rest: Rest, dice: Dice): Remade;
}

export interface Remade extends Disposable {
  /** Of the writes behind the flush, how many are gone, in part or whole. */
  readonly gone: number;
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

interface Place {
  /** Where it is mounted; made where it is missing. */
  readonly path: string;
  /** Of its files. */
  readonly folder: string;
  readonly fileSystem: FileSystem;
}

export async function mountRecordedDisk(
  path: string,
  { folder, fileSystem }: Omit<Place, 'path'>,
): Promise<RecordedDisk> {
  const { make } = fileSystems[fileSystem];
  mkdirSync(path, { recursive: true });
  mkdirSync(folder, { recursive: true });
  const recording = new Recording({ path, folder, fileSystem });
  writeFileSync(recording.base, '');
  run('truncate', '-s', size, recording.base);
  run(make[0], ...make.slice(1), recording.base);
  await recording.begin();
  return {
    async cut(dice) {
      const before = recording.entries().length;
      // What is only in memory could have come to the disk by now, too, in this order: the file system's own.
      run('sync', '--file-system', path);
      const entries = recording.entries();
      await recording.end();
      const last = before + Math.floor(dice.number(entries.length - before + 1));
      const flushed = entries.slice(0, last).findLastIndex(isFlush) + 1;
      recording.carryOut(entries.slice(0, flushed), recording.base);
      const rest = dice.one(Object.keys(rests) as Rest[]);
      const gone = recording.carryOut(entries.slice(flushed, last), recording.base, { rest, dice });
      await recording.begin();
      return gone;
    },
    recorded: () => recording.entries().length,
    async end() {
      await recording.end();
      return historyOf(recording);
    },
    [Symbol.asyncDispose]: () => recording.end(),
  };
}

function historyOf(recording: Recording): History {
  const entries = recording.entries();
  const flushes = entries.flatMap((entry, index) => {
    const before = entries[index - 1];
    return isFlush(entry) && before && !isFlush(before) ? [index + 1] : [];
  });
  const remade = join(recording.place.folder, 'remade');
  let done = 0;
  return {
    flushes,
    mountAt(flush, rest, dice) {
      recording.carryOut(entries.slice(done, flush), recording.base);
      done = flush;
      // Another file each time: of one that it knows, the kernel might remember blocks.
      rmSync(remade, { force: true });
      run('cp', '--sparse=always', recording.base, remade);
      const next = flushes.find((one) => one > flush) ?? entries.length;
      const gone = recording.carryOut(entries.slice(flush, next), remade, { rest, dice });
      const device = mount(remade, recording.place);
      return { gone, [Symbol.dispose]: () => unmount(recording.place, device) };
    },
  };
}

/** Gives the loop device. */
function mount(image: string, { path, fileSystem }: Place): string {
  const device = run('losetup', '--show', '--find', image).trim();
  // As each boot does: of a superblock that was torn, e2fsck takes another copy.
  if (fileSystem.startsWith('ext4')) spawnSync('/sbin/e2fsck', ['-y', device]);
  run('mount', ...fileSystems[fileSystem].mount, device, path);
  chmodSync(path, 0o700);
  if (existsSync(join(path, 'lost+found'))) rmdirSync(join(path, 'lost+found'));
  return device;
}

/** An agent that is still there fails it. */
function unmount({ path }: Place, device: string): void {
  run('umount', path);
  run('losetup', '--detach', device);
}

interface Entry {
  readonly sector: number;
  readonly sectors: number;
  readonly flags: number;
  /** Where its data are in the record. */
  readonly at: number;
}

const isFlush = ({ flags: flag }: Entry): boolean => (flag & flags.flush) !== 0;

class Recording {
  readonly place: Place;
  /** The disk as the recording began. */
  readonly base: string;
  readonly #disk: string;
  readonly #log: string;
  readonly #export: string;
  #entries: Entry[] = [];
  #read = sectorSize;
  #daemon: ChildProcess | undefined;
  #device = '';

  constructor(place: Place) {
    this.place = place;
    this.base = join(place.folder, 'base');
    this.#disk = join(place.folder, 'disk');
    this.#log = join(place.folder, 'log');
    this.#export = join(place.folder, 'export');
  }

  async begin(): Promise<void> {
    run('cp', '--sparse=always', this.base, this.#disk);
    for (const file of [this.#log, this.#export]) writeFileSync(file, '');
    truncateSync(this.#log, 2 ** 31);
    this.#entries = [];
    this.#read = sectorSize;
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
    this.#device = mount(this.#export, this.place);
  }

  /** All so far. */
  entries(): readonly Entry[] {
    const log = openSync(this.#log, 'r');
    try {
      const { size: end } = fstatSync(log);
      const head = Buffer.alloc(32);
      while (this.#read < end) {
        readSync(log, head, 0, head.length, this.#read);
        const word = (offset: number) => Number(head.readBigUInt64LE(offset));
        const [sector, sectors, flag] = [word(0), word(8), word(16)] as const;
        // Behind the last entry there is nothing yet.
        if (sectors === 0 && flag === 0) break;
        this.#entries.push({ sector, sectors, flags: flag, at: this.#read + sectorSize });
        this.#read += sectorSize + ((flag & flags.discard) === 0 ? sectors * sectorSize : 0);
      }
      return [...this.#entries];
    } finally {
      closeSync(log);
    }
  }

  /** Unmounts, and ends the daemon. */
  async end(): Promise<void> {
    if (!this.#daemon) return;
    unmount(this.place, this.#device);
    const over = once(this.#daemon, 'exit');
    this.#daemon.kill();
    this.#daemon = undefined;
    await over;
  }

  /** Makes these writes on an image: whole, or what `rest` keeps of them. Gives of how many something is gone. */
  carryOut(
    entries: readonly Entry[],
    image: string,
    { rest = 'everything', dice }: { readonly rest?: Rest; readonly dice?: Dice } = {},
  ): number {
    const log = openSync(this.#log, 'r');
    const disk = openSync(image, 'r+');
    try {
      const writes = entries.filter(({ sectors }) => sectors > 0);
      const keep = rests[rest](writes.length, dice ?? diceOf(0));
      return writes.filter((entry, index) => {
        const isKept = (entry.flags & flags.fua) === 0 ? keep(index) : () => true;
        return copySectors(log, disk, entry, isKept) < entry.sectors;
      }).length;
    } finally {
      closeSync(log);
      closeSync(disk);
    }
  }
}

/** Whether a sector of the so-manyeth write that no flush followed is on the disk. Sectors are asked for in their order. */
type Keep = (write: number) => (sector: number) => boolean;

const torn =
  (unit: number) =>
  (_: number, dice: Dice): Keep =>
  () => {
    let isKept = dice.happens(50);
    return (sector) => {
      if (sector % unit === 0) isKept = dice.happens(50);
      return isKept;
    };
  };

/** What is on the disk of the writes that no flush followed. */
const rests = {
  nothing: () => () => () => false,
  everything: () => () => () => true,
  'the first': (count: number, dice: Dice): Keep => {
    const first = dice.number(count + 1);
    return (write) => () => write + 1 <= first;
  },
  any:
    (_: number, dice: Dice): Keep =>
    () => {
      const isKept = dice.happens(50);
      return () => isKept;
    },
  'torn at 512': torn(1),
  'torn at 4096': torn(4096 / sectorSize),
} as const satisfies Record<string, (count: number, dice: Dice) => Keep>;
export type Rest = keyof typeof rests;

/** Gives how many. */
function copySectors(
  from: number,
  to: number,
  { sector, sectors, at, flags: flag }: Entry,
  isKept: (sector: number) => boolean,
): number {
  const data = Buffer.alloc(sectors * sectorSize);
  // The kernel has blocks zeroed by a request that is recorded as a discard.
  if ((flag & flags.discard) === 0) readSync(from, data, 0, data.length, at);
  const kept = Array.from({ length: sectors }, (_, index) => index).filter((index) => isKept(sector + index));
  if (kept.length === sectors) writeSync(to, data, 0, data.length, sector * sectorSize);
  else
    for (const index of kept)
      writeSync(to, data, index * sectorSize, sectorSize, (sector + index) * sectorSize);
  return kept.length;
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
