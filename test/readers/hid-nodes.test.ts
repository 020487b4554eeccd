/** Which nodes of a USB device are read: of those of its input devices, the one that types. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hidNodes, usbDeviceAt } from '../../src/readers/hid/hid-nodes.ts';
import type { RecordedTree } from '../support/reader/recorded-sysfs.ts';
import { keyboardBehindHubs, laySysfs, rawDevice } from '../support/reader/recorded-sysfs.ts';

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
