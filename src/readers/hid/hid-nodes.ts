/**
 * Finds the nodes of a USB reader by vendor and product. A keyboard reader often has further event nodes, for example
 * for media keys. Only a node with an Enter key types numbers.
 */
import { readFile, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { UsbDevice } from '../usb-device.ts';
import { findUsbNodes, usbDeviceAbove } from '../usb-device.ts';

export type HidKind = 'keyboard' | 'raw';

const enter = 28n;

/** Gives paths in `/dev`, in order; none while the device is away. Only tests set `sysfs`. */
export async function hidNodes({
  device,
  kind,
  sysfs = '/sys',
}: {
  readonly device: UsbDevice;
  readonly kind: HidKind;
  readonly sysfs?: string;
}): Promise<readonly string[]> {
  const nodes = await findUsbNodes({ ...device, root: sysfs, class: kind === 'raw' ? 'hidraw' : 'input' });
  const paths = nodes.map(({ path }) => path);
  if (kind === 'raw') return paths;
  const types = await Promise.all(paths.map((path) => hasEnterKey(path, sysfs)));
  return paths.filter((_, at) => types[at]);
}

/** The device of a node, by its path in `/dev` or a link to it; `undefined` if it is not a USB device. */
export async function usbDeviceAt(path: string, sysfs = '/sys'): Promise<UsbDevice | undefined> {
  try {
    const name = basename(await realpath(path));
    const kind = name.startsWith('hidraw') ? 'hidraw' : 'input';
    return await usbDeviceAbove(await realpath(join(sysfs, 'class', kind, name)));
  } catch {
    return undefined;
  }
}

/** Reads the key bitmap. The kernel prints it as hexadecimal words of the size of a long, the highest word first. */
async function hasEnterKey(path: string, sysfs: string): Promise<boolean> {
  if (!path.startsWith('/dev/input/event')) return false;
  const bitmap = join(sysfs, 'class/input', basename(path), 'device/capabilities/key');
  const words = await readFile(bitmap, 'ascii').catch(() => '');
  const lowest = words.trim().split(' ').at(-1) ?? '';
  return /^[0-9a-f]+$/.test(lowest) && (BigInt(`0x${lowest}`) >> enter) % 2n === 1n;
}
