/**
 * Trees of sysfs as real machines had them, cut down to what is read of them: paths, uevent, and the attributes of USB
 * devices. The serial adapter: `udevadm info -e` in snapcore/snapd, interfaces/hotplug (FT232R); the keyboard behind two
 * hubs and the raw device: devices/input/usbkbd.umockdev and devices/hidraw/fido2.umockdev of martinpitt/umockdev.
 */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { onTestFinished } from 'vitest';

export interface RecordedNode {
  readonly class: 'tty' | 'input' | 'hidraw';
  /** Below `/sys`. */
  readonly path: string;
  readonly devname?: string;
}

/** Attributes of the USB devices by their folders below `/sys`. */
export type RecordedDevices = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface RecordedTree {
  readonly nodes: readonly RecordedNode[];
  readonly devices: RecordedDevices;
}

const xhci = 'devices/pci0000:00/0000:00:14.0/usb1';

export const serialAdapter = (name: string): RecordedTree => ({
  nodes: [
    { class: 'tty', path: `${xhci}/1-2/1-2:1.0/${basename(name)}/tty/${basename(name)}`, devname: name },
  ],
  devices: {
    [xhci]: { idVendor: '1d6b', idProduct: '0002', serial: '0000:00:14.0' },
    [`${xhci}/1-2`]: { idVendor: '0403', idProduct: '6001', serial: 'AH06W0EQ' },
  },
});

/** The port on the board, which is no USB device. */
export const boardPort: RecordedTree = {
  nodes: [{ class: 'tty', path: 'devices/pnp0/00:05/tty/ttyS0', devname: 'ttyS0' }],
  devices: {},
};

const ehci = 'devices/pci0000:00/0000:00:1a.0/usb1';
const keys = `${ehci}/1-1/1-1.5/1-1.5.4/1-1.5.4.2/1-1.5.4.2:1.0/input/input5`;

export const keyboardBehindHubs: RecordedTree = {
  nodes: [
    { class: 'input', path: keys },
    { class: 'input', path: `${keys}/event5`, devname: 'input/event5' },
  ],
  devices: {
    [ehci]: { idVendor: '1d6b', idProduct: '0002', serial: '0000:00:1a.0' },
    [`${ehci}/1-1`]: { idVendor: '8087', idProduct: '0020' },
    [`${ehci}/1-1/1-1.5`]: { idVendor: '17ef', idProduct: '1005' },
    [`${ehci}/1-1/1-1.5/1-1.5.4`]: { idVendor: '05f3', idProduct: '0081' },
    [`${ehci}/1-1/1-1.5/1-1.5.4/1-1.5.4.2`]: { idVendor: '05f3', idProduct: '0007' },
  },
};

const hub = 'devices/pci0000:00/0000:00:08.1/0000:05:00.3/usb1/1-2';

export const rawDevice: RecordedTree = {
  nodes: [
    {
      class: 'hidraw',
      path: `${hub}/1-2.3/1-2.3:1.0/0003:1050:0120.000A/hidraw/hidraw5`,
      devname: 'hidraw5',
    },
  ],
  devices: {
    [hub]: { idVendor: '0bda', idProduct: '5411' },
    [`${hub}/1-2.3`]: { idVendor: '1050', idProduct: '0120' },
  },
};

/** Lays the trees out in a folder, which is the answer and goes with the test. */
export async function laySysfs(...trees: readonly RecordedTree[]): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'platen-sysfs-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const tree of trees) await plugIn(root, tree);
  return root;
}

/** Until it is disposed, which pulls the plug. */
export async function plugIn(root: string, { nodes, devices }: RecordedTree): Promise<AsyncDisposable> {
  for (const [folder, attributes] of Object.entries(devices)) {
    await mkdir(join(root, folder), { recursive: true });
    for (const [name, value] of Object.entries(attributes)) {
      await writeFile(join(root, folder, name), `${value}\n`);
    }
  }
  for (const node of nodes) await layNode(root, node);
  return {
    async [Symbol.asyncDispose]() {
      for (const node of nodes) await rm(linkOf(root, node));
    },
  };
}

const linkOf = (root: string, { class: kind, path }: RecordedNode): string =>
  join(root, 'class', kind, basename(path));

async function layNode(root: string, node: RecordedNode): Promise<void> {
  const { path, devname } = node;
  const folder = join(root, path);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'uevent'), devname === undefined ? 'EV=120013\n' : `DEVNAME=${devname}\n`);
  const link = linkOf(root, node);
  await mkdir(dirname(link), { recursive: true });
  await symlink(relative(dirname(link), folder), link);
}
