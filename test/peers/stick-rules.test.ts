/** The udev rules of sticks, read by udev itself: what is removable and on USB is for one group to read; other disks stay as they are. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { needsNamespaces, needsPeer } from '../support/needs.ts';

const run = promisify(execFile);

// A sysfs and a udev of its own. A line each: `bus removable devtype name`.
const simulation = `
mount -t tmpfs tmpfs /sys
for place in /run/udev /usr/lib/udev/rules.d /etc/udev /dev; do
  mkdir -p $place
  mount -t tmpfs tmpfs $place
done
mkdir -p /run/udev/rules.d /sys/bus/usb /sys/bus/pci /sys/class/block
cat >/run/udev/rules.d/71-platen-stick.rules
printf 'platen-stick:x:4243:\\n' >/run/udev/group
mount --bind /run/udev/group /etc/group
number=0
for device; do
  number=$((number + 1))
  IFS=' ' read -r bus removable devtype name <<END
$device
END
  above=/sys/devices/$bus$number
  node=$above/block/$name
  mkdir -p $node
  ln -s /sys/bus/$bus $above/subsystem
  ln -s /sys/class/block $node/subsystem
  echo >$above/uevent
  echo $removable >$node/removable
  printf 'MAJOR=8\\nMINOR=%s\\nDEVNAME=%s\\nDEVTYPE=%s\\n' $number $name $devtype >$node/uevent
  echo "device $number"
  SYSTEMD_DEVICE_VERIFY_SYSFS=0 udevadm test $node 2>&1
done
`;

async function ruled(...devices: readonly string[]): Promise<readonly string[]> {
  const running = run('unshare', ['-m', 'sh', '-euc', simulation, 'udev', ...devices]);
  running.child.stdin?.end(await readFile('systemd/71-platen-stick.rules'));
  const { stdout } = await running;
  return stdout.split(/^device \d+$/m).slice(1);
}

needsNamespaces()('with a file system of its own,', () => {
  needsPeer('udevadm', 'udev')('udev', () => {
    it('gives a stick to the room that reads it, to read, and leaves every other disk as it is', async () => {
      const [stick = '', ...others] = await ruled(
        'usb 1 disk sdb',
        'usb 0 disk sdc',
        'pci 1 disk sda',
        'usb 1 partition sdb1',
      );
      expect(stick).toMatch(/ GROUP 4243$/m);
      expect(stick).toMatch(/ MODE 0640$/m);
      expect(stick).toContain('UDISKS_IGNORE=1');
      expect(others).toHaveLength(3);
      for (const said of others) expect(said).not.toMatch(/GROUP|MODE|PLATEN_STICK/);
    });
  });
});
