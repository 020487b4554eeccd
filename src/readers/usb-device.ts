/**
 * Finds the nodes of a USB device by vendor and product. The kernel may change a node's name: `ttyUSB0` may be
 * `ttyUSB1` after a replug. It only reads sysfs (rules: admin-guide/sysfs-rules of the kernel's documentation; `uevent`
 * names the node, ABI/stable/sysfs-bus-usb has idVendor, idProduct and serial), and opens no device.
 */
import { readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

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

interface UsbNode extends UsbDevice {
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

type HidKind = 'keyboard' | 'raw';

const enter = 28n;

/**
 * The nodes of a USB reader: paths in `/dev`, in order; none while the device is away. A keyboard reader often has
 * further event nodes, for example for media keys. Only a node with an Enter key types numbers. Only tests set
 * `sysfs`.
 */
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
