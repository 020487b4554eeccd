/**
 * Which sticks are in: by sysfs (ABI/stable/sysfs-block of the kernel's documentation), or by the path that the configuration
 * names. Nothing of a stick is read for that, and its device is not opened.
 */
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stick } from '../../domain/ports/sticks.ts';

export interface UsbDisk extends Stick {
  /** `/dev/sda`. */
  readonly path: string;
}

export interface DiskSearch {
  /** `auto`: whatever is removable on USB; else a path, as those of `/dev/disk/by-path` that are one socket of the machine. */
  readonly device: string;
  /** Where sysfs is mounted. */
  readonly root?: string;
}

export async function usbDisks({ device, root = '/sys' }: DiskSearch): Promise<readonly UsbDisk[]> {
  if (device !== 'auto') {
    const disk = await diskAt(device, root);
    return disk ? [disk] : [];
  }
  const names = await readdir(join(root, 'block')).catch(() => []);
  const disks = await Promise.all(
    names.filter((name) => /^sd[a-z]+$/.test(name)).map((name) => removableDisk(name, root)),
  );
  return disks.filter((disk) => disk !== undefined);
}

/** A disk that stays in is none, nor is a reader of cards without a card. */
async function removableDisk(name: string, root: string): Promise<UsbDisk | undefined> {
  const folder = join(root, 'block', name);
  const [where, removable, size] = await Promise.all([
    realpath(folder).catch(() => ''),
    textOf(join(folder, 'removable')),
    textOf(join(folder, 'size')),
  ]);
  const isIn = /\/usb\d+\//.test(where) && removable === '1' && Number(size ?? 0) > 0;
  return isIn ? { id: `${name} ${await sequenceOf(name, root)}`, path: `/dev/${name}` } : undefined;
}

async function diskAt(device: string, root: string): Promise<UsbDisk | undefined> {
  try {
    const path = await realpath(device);
    const { ino, rdev, birthtimeMs } = await stat(path);
    const name = path.slice(path.lastIndexOf('/') + 1);
    if ((await textOf(join(root, 'block', name, 'size'))) === '0') return undefined;
    return { id: `${name} ${rdev} ${ino} ${birthtimeMs} ${await sequenceOf(name, root)}`, path };
  } catch {
    return undefined;
  }
}

/** Counts what was put in since the machine started. */
const sequenceOf = async (name: string, root: string): Promise<string> =>
  (await textOf(join(root, 'block', name, 'diskseq'))) ?? '';

/** Pulled at this moment it has no attributes any more. */
const textOf = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  );
