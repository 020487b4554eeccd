/** What a configuration may say of USB sticks, and at how many terminals. */
import { describe, expect, it } from 'vitest';
import { sharedDevices } from '../../src/config/doubtful-readers.ts';
import { stick } from '../../src/config/schema/stick.ts';

const byPath = (port: number) => ({
  device: `/dev/disk/by-path/pci-0000:00:14.0-usb-0:${port}:1.0-scsi-0:0:0:0`,
});

describe('a stick in the configuration', () => {
  it('is off unless somebody turns it on, and then any that is removable, to 200 MiB', () => {
    expect(stick.parse(undefined)).toBeUndefined();
    expect(stick.parse('off')).toBeUndefined();
    expect(stick.parse({})).toEqual({ device: 'auto', largest: 200 * 1024 ** 2, queue: undefined });
    expect(stick.parse({ ...byPath(2), largestMiB: 5, queue: 'Pull' })).toEqual({
      ...byPath(2),
      largest: 5 * 1024 ** 2,
      queue: 'Pull',
    });
  });

  it.each<[string, unknown]>([
    ['on', 'on'],
    ['at a place that is none', { device: 'sda' }],
    ['larger than the service takes', { largestMiB: 201 }],
    ['without a queue’s name', { queue: '' }],
    ['what nobody knows', { mount: true }],
  ])('is not %s', (_, said) => {
    expect(stick.safeParse(said).success).toBe(false);
  });

  it('says what a device may be to whoever wrote another one', () => {
    const { error } = stick.safeParse({ device: 'sda' });
    expect(error?.issues.map(({ message }) => message)).toEqual([
      'must be auto, or the full path of a device, for example of one in /dev/disk/by-path',
    ]);
  });

  it.each<[string, unknown, unknown, boolean]>([
    ['each at a socket of its own', byPath(1), byPath(2), true],
    ['at the same socket', byPath(1), byPath(1), false],
    ['one at any socket', byPath(1), {}, false],
    ['one of them without', {}, 'off', true],
  ])('of two terminals, %s', (_, one, other, isFine) => {
    const terminals = [one, other].map((said, at) => ({
      id: `t${at}`,
      readers: [],
      stick: stick.parse(said),
    }));
    const mistakes = sharedDevices({ terminals });
    expect(mistakes).toEqual(
      isFine
        ? []
        : [
            {
              path: ['terminals', 1, 'stick'],
              message: 'may be the stick of t0 too. Give each terminal its own device',
            },
          ],
    );
  });
});
