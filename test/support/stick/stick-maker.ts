/**
 * Images of USB sticks in a folder, made by the programs that make real ones: dosfstools with mtools, ntfs-3g, exfatprogs,
 * e2fsprogs. Into an exFAT none of them writes a file without mounting it: there its entries are written here.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';

export type Files = Readonly<Record<string, Buffer | string>>;

const environment = {
  ...process.env,
  PATH: `${process.env['PATH']}:/usr/sbin:/sbin`,
  MTOOLS_SKIP_CHECK: '1',
};

/** Gives what it writes. */
export const run = (program: string, ...words: string[]): Buffer =>
  execFileSync(program, words, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });

/** Where everybody may read, as the room that a stick is read in has to. */
export function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'platen-stick-'));
  chmodSync(folder, 0o755);
  return folder;
}

export function makeEmpty(folder: string, mebibytes: number): string {
  const image = join(folder, 'stick.img');
  writeFileSync(image, '', { mode: 0o644 });
  truncateSync(image, mebibytes * 1024 ** 2);
  return image;
}

/** What is on the stick, in a folder for as long as that is copied. */
function staged<T>(folder: string, files: Files, copy: (from: string) => T): T {
  const from = join(folder, 'files');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(from, path)), { recursive: true });
    writeFileSync(join(from, path), content);
  }
  try {
    return copy(from);
  } finally {
    rmSync(from, { recursive: true, force: true });
  }
}

/** FAT32, or FAT16 where it is small, without partitions, as many a stick is. */
export function makeFat(folder: string, files: Files, mebibytes = 64): string {
  const image = makeEmpty(folder, mebibytes);
  run('mkfs.vfat', '-F', mebibytes > 32 ? '32' : '16', image);
  const tops = new Set(Object.keys(files).map((path) => path.split('/')[0] ?? ''));
  staged(folder, files, (from) => {
    for (const top of tops) run('mcopy', '-s', '-i', image, join(from, top), '::/');
  });
  return image;
}

/** The same in the first partition of a disk (MBR), as a new stick is. */
export function partition(image: string): string {
  const start = 2048;
  const content = readFileSync(image);
  const table = Buffer.alloc(start * 512);
  table.writeUInt8(0x0c, 446 + 4);
  table.writeUInt32LE(start, 446 + 8);
  table.writeUInt32LE(content.length / 512, 446 + 12);
  table.writeUInt16LE(0xaa55, 510);
  writeFileSync(image, Buffer.concat([table, content]));
  return image;
}

/**
 * The same by a table of the other kind, on a disk that counts in sectors of 4096 octets ("UEFI specification", 5.3): one entry,
 * without the copy at the end.
 */
export function partitionOfLargeSectors(image: string): string {
  const [sector, start] = [4096, 256];
  const content = readFileSync(image);
  const last = start + content.length / sector - 1;
  const table = Buffer.alloc(start * sector);
  table.writeUInt8(0xee, 446 + 4);
  table.writeUInt32LE(1, 446 + 8);
  table.writeUInt32LE(last, 446 + 12);
  table.writeUInt16LE(0xaa55, 510);
  const entries = table.subarray(2 * sector, 2 * sector + 128 * 128);
  Buffer.from('a2a0d0ebe5b9334487c068b6b72699c7'.padEnd(64, '1'), 'hex').copy(entries);
  entries.writeBigUInt64LE(BigInt(start), 32);
  entries.writeBigUInt64LE(BigInt(last), 40);
  const header = table.subarray(sector, sector + 92);
  header.write('EFI PART', 'latin1');
  for (const [at, value] of [
    [8, 0x10000],
    [12, 92],
    [80, 128],
    [84, 128],
    [88, crc32(entries)],
  ] as const)
    header.writeUInt32LE(value, at);
  for (const [at, value] of [
    [24, 1],
    [32, last],
    [40, 6],
    [48, last],
    [72, 2],
  ] as const)
    header.writeBigUInt64LE(BigInt(value), at);
  header.writeUInt32LE(crc32(header), 16);
  writeFileSync(image, Buffer.concat([table, content]));
  return image;
}

export function makeNtfs(folder: string, files: Files): string {
  const image = makeEmpty(folder, 16);
  run('mkntfs', '-F', '-Q', image);
  staged(folder, files, (from) => {
    for (const path of Object.keys(files)) run('ntfscp', '-f', image, join(from, path), basename(path));
  });
  return image;
}

/** With a link in it to a file of the machine that reads it. */
export function makeExt(folder: string, files: Files): string {
  const image = makeEmpty(folder, 16);
  staged(folder, files, (from) => {
    symlinkSync('/etc/passwd', join(from, 'passwd.pdf'));
    run('mke2fs', '-q', '-t', 'ext4', '-d', from, image);
  });
  return image;
}

/** "exFAT file system specification" of Microsoft, sections 3.1, 6.3, 7.4, 7.6 and 7.7; files of the top alone. */
export function makeExfat(folder: string, files: Files): string {
  const image = makeEmpty(folder, 16);
  run('mkfs.exfat', image);
  const disk = readFileSync(image);
  const sector = 2 ** disk.readUInt8(108);
  const cluster = sector * 2 ** disk.readUInt8(109);
  const heap = disk.readUInt32LE(88) * sector;
  const placeOf = (number: number) => heap + (number - 2) * cluster;
  const root = placeOf(disk.readUInt32LE(96));
  let [free, entry] = [disk.readUInt32LE(96) + 1, root];
  while (disk[entry] !== 0) entry += 32;
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    bytes.copy(disk, placeOf(free));
    const entries = exfatEntries(name, { cluster: free, length: bytes.length });
    entries.copy(disk, entry);
    entry += entries.length;
    for (const end = free + Math.max(1, Math.ceil(bytes.length / cluster)); free < end; free += 1) {
      // The bitmap of what is taken lies in the first cluster.
      disk[heap + ((free - 2) >> 3)] = (disk[heap + ((free - 2) >> 3)] ?? 0) | (1 << ((free - 2) & 7));
    }
  }
  writeFileSync(image, disk);
  return image;
}

function exfatEntries(name: string, data: { readonly cluster: number; readonly length: number }): Buffer {
  const letters = Buffer.from(name, 'utf16le');
  const names = Math.ceil(name.length / 15);
  const set = Buffer.alloc(32 * (2 + names));
  set.writeUInt8(0x85, 0);
  set.writeUInt8(1 + names, 1);
  set.writeUInt16LE(0x20, 4);
  for (const at of [8, 12, 16]) set.writeUInt32LE(midday, at);
  set.writeUInt8(0xc0, 32);
  // In one piece: no chain of clusters.
  set.writeUInt8(0x03, 33);
  set.writeUInt8(name.length, 35);
  set.writeUInt16LE(rotatingSum(Buffer.from(upcased(name), 'utf16le')), 36);
  set.writeBigUInt64LE(BigInt(data.length), 40);
  set.writeUInt32LE(data.cluster, 52);
  set.writeBigUInt64LE(BigInt(data.length), 56);
  for (let part = 0; part < names; part += 1) {
    set.writeUInt8(0xc1, 32 * (2 + part));
    letters.copy(set, 32 * (2 + part) + 2, part * 30, part * 30 + 30);
  }
  // Of all octets but the two that hold it.
  set.writeUInt16LE(rotatingSum(Buffer.concat([set.subarray(0, 2), set.subarray(4)])), 2);
  return set;
}

/** The third of March 2026 at noon. */
const midday = 0x5c636000;
const upcased = (name: string): string => name.replace(/[a-zà-þ]/g, (letter) => letter.toUpperCase());
const rotatingSum = (octets: Buffer): number =>
  octets.reduce((sum, octet) => (((sum & 1) << 15) + (sum >> 1) + octet) & 0xffff, 0);
