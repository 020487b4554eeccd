/**
 * Finds the nodes of a USB device by vendor and product. The kernel may change a node's name: `ttyUSB0` may be
 * `ttyUSB1` after a replug. It only reads sysfs (rules: admin-guide/sysfs-rules of the kernel's documentation; `uevent`
 * names the node, ABI/stable/sysfs-bus-usb has idVendor, idProduct and serial), and opens no device.
 */
import { readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface UsbDevice {
  /** Four digits of hex, in either case. */
  readonly vendor: string;
  readonly product: string;
  /** Many cheap devices have no serial number, or share it with all of their kind. */
  readonly serial?: string;
}

export interface UsbSearch extends UsbDevice {
  readonly class: 'tty' | 'input' | 'hidraw';
  /** Where sysfs is mounted. */
  readonly root?: string;
}

export interface UsbNode extends UsbDevice {
  /** `/dev/ttyUSB0`, `/dev/input/event3`, `/dev/hidraw0`. */
  readonly path: string;
}

/** Gives the nodes in the order of their paths; none if the device or sysfs is missing. */
export async function findUsbNodes({
  root = '/sys',
  class: kind,
  ...wanted
}: UsbSearch): Promise<readonly UsbNode[]> {
  const folder = join(root, 'class', kind);
  const names = await readdir(folder).catch(() => []);
  const nodes = await Promise.all(names.map((name) => nodeAt(join(folder, name))));
  return nodes
    .filter((node) => node !== undefined)
    .filter((node) => isWanted(node, wanted))
    .sort((a, b) => a.path.localeCompare(b.path, 'en', { numeric: true }));
}

/** Gives `undefined` if the entry has no node in `/dev` (`input0`), or is no USB device (`ttyS0`). */
async function nodeAt(entry: string): Promise<UsbNode | undefined> {
  const [, name] = /^DEVNAME=(.+)$/m.exec((await textOf(join(entry, 'uevent'))) ?? '') ?? [];
  if (name === undefined) return undefined;
  const device = await usbDeviceAbove(await realpath(entry).catch(() => '/'));
  return device && { path: `/dev/${name}`, ...device };
}

/** Gives the nearest USB device above a folder of sysfs. The hubs above it are USB devices too. */
export async function usbDeviceAbove(folder: string): Promise<UsbDevice | undefined> {
  const parent = dirname(folder);
  if (parent === folder) return undefined;
  const vendor = await textOf(join(folder, 'idVendor'));
  if (vendor === undefined) return usbDeviceAbove(parent);
  const [product = '', serial] = await Promise.all([
    textOf(join(folder, 'idProduct')),
    textOf(join(folder, 'serial')),
  ]);
  return { vendor, product, ...(serial === undefined ? {} : { serial }) };
}

const isWanted = (node: UsbDevice, { vendor, product, serial }: UsbDevice): boolean =>
  node.vendor.toLowerCase() === vendor.toLowerCase() &&
  node.product.toLowerCase() === product.toLowerCase() &&
  (serial === undefined || node.serial === serial);

/** A device that is pulled at this moment has no attributes. */
const textOf = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  );
