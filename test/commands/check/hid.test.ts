/** What `platen check` says of a USB reader, without opening it. */
import { describe, expect, it } from 'vitest';
import { examineHid } from '../../../src/commands/check/reader/hid.ts';
import { hidReader } from '../../../src/config/schema/usb-readers.ts';

const looker = async () => ({ user: 'dana', hasService: false, unit: undefined });
const examine = (settings: object) =>
  examineHid(hidReader.parse({ type: 'hid', ...settings }), { isUp: false, looker });

describe('a USB reader that is examined', () => {
  it('can be read where it is a device, as what it was said to be', async () => {
    expect(await examine({ path: '/dev/null' })).toBe('/dev/null can be read as a keyboard');
    expect(await examine({ path: '/dev/null', layout: 'magtek-track-2' })).toBe(
      '/dev/null can be read by magtek-track-2',
    );
  });

  it.each<[string, object, RegExp]>([
    ['that is not there', { path: '/dev/input/event-none' }, /does not exist\. Plug the reader in/],
    ['whose path is no device', { path: '/etc/hostname' }, /is not a device. Correct the path/],
    ['whose device is away', { device: 'fffe:fffe' }, /there is no keyboard of fffe:fffe\. .*lsusb/],
    [
      'of raw reports that is away',
      { device: '0801:0002', layout: 'magtek-track-2' },
      /no hidraw node of 0801:0002/,
    ],
  ])('%s gets an advice', async (_, settings, advice) => {
    await expect(examine(settings)).rejects.toThrow(advice);
  });
});
