/**
 * The udev rules of the shipped readers, read by udev itself: no warning, every reader of `config/readers.json`, nothing
 * else (T08). The devices are folders that look like sysfs; the rules are the only ones of the machine.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import readers from '../../config/readers.json' with { type: 'json' };
import { needsNamespaces, needsPeer } from '../support/needs.ts';

const run = promisify(execFile);
const file = 'systemd/70-platen-readers.rules';

interface Device {
  readonly vendor: string;
  readonly product: string;
  readonly serial?: string;
}

const nodes = {
  keyboard: { subsystem: 'input', name: 'input/event3' },
  raw: { subsystem: 'hidraw', name: 'hidraw0' },
  serial: { subsystem: 'tty', name: 'ttyUSB0' },
} as const;

type Mode = keyof typeof nodes;

// One sysfs, and one udev, for all devices of a test: a line each, `vendor product mode subsystem name serial`.
const simulation = `
mount -t tmpfs tmpfs /sys
for place in /run/udev /usr/lib/udev/rules.d /etc/udev /dev; do
  mkdir -p $place
  mount -t tmpfs tmpfs $place
done
mkdir -p /run/udev/rules.d /sys/bus/usb /sys/class/input /sys/class/hidraw /sys/class/tty
cat >/run/udev/rules.d/70-platen-readers.rules
printf 'platen:x:4242:\\ndialout:x:20:\\n' >/run/udev/group
mount --bind /run/udev/group /etc/group
number=0
for device; do
  number=$((number + 1))
  IFS=' ' read -r vendor product mode subsystem name serial <<END
$device
END
  usb=/sys/devices/usb1/1-$number
  node=$usb/1-$number:1.0/$mode/\${name##*/}
  mkdir -p $node
  echo $vendor >$usb/idVendor
  echo $product >$usb/idProduct
  [ -z "$serial" ] || echo "$serial" >$usb/serial
  echo DEVTYPE=usb_device >$usb/uevent
  echo DEVTYPE=usb_interface >$usb/1-$number:1.0/uevent
  echo ff >$usb/1-$number:1.0/bInterfaceClass
  echo 00 >$usb/1-$number:1.0/bInterfaceNumber
  ln -s /sys/bus/usb $usb/subsystem
  ln -s /sys/bus/usb $usb/1-$number:1.0/subsystem
  printf 'MAJOR=13\\nMINOR=%s\\nDEVNAME=%s\\n' $number $name >$node/uevent
  ln -s /sys/class/$subsystem $node/subsystem
  echo "device $number"
  SYSTEMD_DEVICE_VERIFY_SYSFS=0 udevadm test $node 2>&1
done
`;

/** What udev made of each. */
async function ruled(devices: readonly (Device & { mode: Mode })[]): Promise<readonly string[]> {
  const lines = devices.map(({ vendor, product, mode, serial = '' }) =>
    [vendor, product, mode, nodes[mode].subsystem, nodes[mode].name, serial].join(' '),
  );
  const running = run('unshare', ['-m', 'sh', '-euc', simulation, 'udev', ...lines]);
  running.child.stdin?.end(await readFile(file));
  const { stdout } = await running;
  return stdout.split(/^device \d+$/m).slice(1);
}

const known = readers.readers.flatMap(({ vendor, product, mode }) =>
  mode === 'pcsc' ? [] : [{ vendor, product, mode: mode as Mode }],
);

needsNamespaces()('with a file system of its own,', () => {
  needsPeer('udevadm', 'udev')('udev', () => {
    it('gives every known reader to the agent alone, and its keys to nobody else', async () => {
      const answers = await ruled(known);
      expect(answers).toHaveLength(known.length);
      for (const [index, { mode }] of known.entries()) {
        const said = answers[index] ?? '';
        expect(said).toMatch(mode === 'serial' ? / GROUP 20$/m : / GROUP 4242$/m);
        expect(said).toMatch(/ MODE 0660$/m);
        expect(said.includes('LIBINPUT_IGNORE_DEVICE=1')).toBe(mode === 'keyboard');
        expect(said).not.toMatch(/70-platen-readers.rules:\d+ (?!GROUP|MODE|LINK|Importing)/);
      }
    });

    it('leaves other devices as they are', async () => {
      const others = await ruled([
        { vendor: '046d', product: 'c31c', mode: 'keyboard' },
        { vendor: '09d8', product: '0410', mode: 'raw' },
        { vendor: '0403', product: '6015', mode: 'serial' },
      ]);
      expect(others).toHaveLength(3);
      for (const said of others) expect(said).not.toMatch(/GROUP|MODE|LINK|PLATEN_READER/);
    });

    it.each([
      ['A50285BI', 'A50285BI'],
      ['../../sda', '.._.._sda'],
      ['A 1/x', 'A_1_x'],
    ])('names a serial reader by its number: %s', async (serial, name) => {
      const [said] = await ruled([{ vendor: '0403', product: '6001', mode: 'serial', serial }]);
      expect(said).toContain(`DEVLINKS=/dev/platen/0403-6001-${name}\n`);
    });
  });
});

describe('the rules of the readers', () => {
  it('name each reader of config/readers.json once, and no other', async () => {
    const text = await readFile(file, 'utf8');
    const lines = text.matchAll(
      /ATTRS\{idVendor\}=="(\w{4})", ATTRS\{idProduct\}=="(\w{4})", ENV\{PLATEN_READER\}="(\w+)"$/gm,
    );
    const named = [...lines].map(([, vendor, product, mode]) => ({ vendor, product, mode }));
    expect(named).toEqual(known);
  });
});
