/**
 * USB sticks as images of whole disks, made by the programs that make real ones: dosfstools with mtools, ntfs-3g, exfatprogs,
 * e2fsprogs. Nothing of ours writes a filesystem, but for the one file of exFAT, into which no program writes without
 * mounting it.
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
import { onTestFinished } from 'vitest';

export type Files = Readonly<Record<string, Buffer | string>>;

/** Where everybody may read, as the room that a stick is read in has to. */
export function stickFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'platen-stick-'));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const searchPath = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin`, MTOOLS_SKIP_CHECK: '1' };
/** Gives what it writes. */
export const run = (program: string, ...words: string[]): Buffer =>
  execFileSync(program, words, { env: searchPath, stdio: ['ignore', 'pipe', 'pipe'] });

const mebibyte = 1024 ** 2;

function emptyImage(mebibytes: number): string {
  const image = join(stickFolder(), 'stick.img');
  writeFileSync(image, '', { mode: 0o644 });
  truncateSync(image, mebibytes * mebibyte);
  return image;
}

/** FAT32, without partitions, as many a stick is. */
export function fatStick(files: Files, mebibytes = 64): string {
  const image = emptyImage(mebibytes);
  run('mkfs.vfat', '-F', mebibytes > 32 ? '32' : '16', image);
  const staging = join(dirname(image), 'files');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(staging, path)), { recursive: true });
    writeFileSync(join(staging, path), content);
  }
  const tops = new Set(Object.keys(files).map((path) => path.split('/')[0] ?? ''));
  for (const top of tops) run('mcopy', '-s', '-i', image, join(staging, top), '::/');
  rmSync(staging, { recursive: true, force: true });
  return image;
}

/** The same in the first partition of a disk (MBR), as a new stick is. */
export function partitioned(image: string): string {
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

export function ntfsStick(files: Files): string {
  const image = emptyImage(16);
  run('mkntfs', '-F', '-Q', image);
  for (const [path, content] of Object.entries(files)) {
    const staged = join(dirname(image), basename(path));
    writeFileSync(staged, content);
    run('ntfscp', '-f', image, staged, path);
    rmSync(staged);
  }
  return image;
}

/** With a link in it to a file of the machine that reads it. */
export function extStick(files: Files): string {
  const image = emptyImage(16);
  const staging = join(dirname(image), 'files');
  mkdirSync(staging);
  for (const [path, content] of Object.entries(files)) writeFileSync(join(staging, path), content);
  symlinkSync('/etc/passwd', join(staging, 'passwd.pdf'));
  run('mke2fs', '-q', '-t', 'ext4', '-d', staging, image);
  rmSync(staging, { recursive: true, force: true });
  return image;
}

export function brokenStick(): string {
  const image = emptyImage(1);
  writeFileSync(image, Buffer.alloc(mebibyte, 0x5a));
  return image;
}
