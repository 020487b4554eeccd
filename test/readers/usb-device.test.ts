/** Where the kernel has put a USB device, and which of its nodes are read, on trees of sysfs as real machines had them. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { UsbSearch } from '../../src/readers/usb-device.ts';
import { findUsbNodes, hidNodes, usbDeviceAt } from '../../src/readers/usb-device.ts';
import {
  boardPort,
  keyboardBehindHubs,
  laySysfs,
  rawDevice,
  serialAdapter,
} from '../support/reader/recorded-sysfs.ts';
import type { RecordedTree } from '../support/reader/recorded-sysfs.ts';

const adapter = { vendor: '0403', product: '6001', serial: 'AH06W0EQ' };
const keyboard = { vendor: '05f3', product: '0007' };

describe('the nodes of a USB device', () => {
  it.each<[string, Omit<UsbSearch, 'root'>, string[]]>([
    [
      'a serial adapter by vendor and product',
      { class: 'tty', vendor: '0403', product: '6001' },
      ['ttyUSB0'],
    ],
    ['a serial adapter by its serial number', { class: 'tty', ...adapter }, ['ttyUSB0']],
    ['none of another serial number', { class: 'tty', ...adapter, serial: 'AH06W0ER' }, []],
    [
      'none where one was asked for a serial number it has not',
      { class: 'input', ...keyboard, serial: '1' },
      [],
    ],
    ['the keys of a keyboard behind two hubs', { class: 'input', ...keyboard }, ['input/event5']],
    ['nothing of a hub', { class: 'input', vendor: '05f3', product: '0081' }, []],
    [
      'a raw device, however its number is written',
      { class: 'hidraw', vendor: '1050', product: '0120' },
      ['hidraw5'],
    ],
    ['nothing of another class', { class: 'hidraw', ...keyboard }, []],
  ])('are found: %s', async (_, search, names) => {
    const root = await laySysfs(boardPort, serialAdapter('ttyUSB0'), keyboardBehindHubs, rawDevice);
    const found = await findUsbNodes({ ...search, root });
    expect(found.map(({ path }) => path)).toEqual(names.map((name) => `/dev/${name}`));
  });

  it('are found by hex in either case, and tell what the device says of itself', async () => {
    const root = await laySysfs(keyboardBehindHubs);
    const found = await findUsbNodes({ class: 'input', vendor: '05F3', product: '0007', root });
    expect(found).toEqual([{ path: '/dev/input/event5', ...keyboard }]);
  });

  it('are none where there is no sysfs', async () => {
    const root = join(await laySysfs(), 'nowhere');
    expect(await findUsbNodes({ class: 'tty', vendor: '0403', product: '6001', root })).toEqual([]);
  });
});

/** Which nodes of a USB device are read: of those of its input devices, the one that types. */
const port = 'devices/pci0000:00/0000:00:14.0/usb1/1-3';
const node = (at: number) => ({
  class: 'input' as const,
  path: `${port}/1-3:1.${at}/input/input${at}/event${at}`,
  devname: `input/event${at}`,
});
const reader: RecordedTree = {
  nodes: [node(0), node(1)],
  devices: { [port]: { idVendor: '09d8', idProduct: '0410', serial: 'A1' } },
};
const device = { vendor: '09d8', product: '0410' };

/** As the kernel prints the keys of a node. */
async function describeKeys(sysfs: string, event: string, keys: string): Promise<void> {
  const folder = join(sysfs, 'class/input', event, 'device/capabilities');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'key'), `${keys}\n`);
}

describe('the nodes of a USB reader', () => {
  it('are those with an Enter key, not those of its media keys', async () => {
    const sysfs = await laySysfs(reader, keyboardBehindHubs);
    await describeKeys(sysfs, 'event0', '1f 0 0 483ffff17aff32d bfd4444600000000 1 130ff38b17c000 0');
    await describeKeys(sysfs, 'event1', '1000000000007 ff9f207ac14057ff febeffdfffefffff fffffffffffffffe');
    expect(await hidNodes({ device, kind: 'keyboard', sysfs })).toEqual(['/dev/input/event1']);
  });

  it('are those of one serial number where one is given', async () => {
    const sysfs = await laySysfs(reader);
    await describeKeys(sysfs, 'event0', 'fffffffffffffffe');
    expect(await hidNodes({ device: { ...device, serial: 'A1' }, kind: 'keyboard', sysfs })).toHaveLength(1);
    expect(await hidNodes({ device: { ...device, serial: 'A2' }, kind: 'keyboard', sysfs })).toEqual([]);
  });

  it('are hidraw nodes where raw reports are read', async () => {
    const sysfs = await laySysfs(reader, rawDevice);
    const raw = { vendor: '1050', product: '0120' };
    expect(await hidNodes({ device: raw, kind: 'raw', sysfs })).toEqual(['/dev/hidraw5']);
    expect(await hidNodes({ device, kind: 'raw', sysfs })).toEqual([]);
  });

  it('are none while it is away', async () => {
    expect(await hidNodes({ device, kind: 'keyboard', sysfs: await laySysfs(rawDevice) })).toEqual([]);
  });

  it('belong to no device where there is none', async () => {
    expect(await usbDeviceAt('/dev/null', await laySysfs(reader))).toBeUndefined();
    expect(await usbDeviceAt('/nowhere', await laySysfs(reader))).toBeUndefined();
  });
});
