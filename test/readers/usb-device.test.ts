/** Where the kernel has put a USB device, on trees of sysfs as real machines had them. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { UsbSearch } from '../../src/readers/usb-device.ts';
import { findUsbNodes } from '../../src/readers/usb-device.ts';
import {
  boardPort,
  keyboardBehindHubs,
  laySysfs,
  rawDevice,
  serialAdapter,
} from '../support/reader/recorded-sysfs.ts';

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
