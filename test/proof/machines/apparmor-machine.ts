/**
 * A virtual machine with AppArmor, on which Platen lies where its package puts it, beside a system whose files are this
 * machine's. What may be written is in memory. A badge reader is at its second serial port.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundledGuest } from './guest-program.ts';
import type { VirtualMachine } from './virtual-machine.ts';
import { startVirtualMachine } from './virtual-machine.ts';

/** AppArmor goes by paths from the root of the machine: this one needs a root of its own, not a changed one. */
const init = (guest: string): string => `
$b mount -t tmpfs -o mode=755 tmpfs /machine
cd /machine
$b mkdir -p proc sys dev run/systemd tmp usr opt/platen etc/platen var/lib/platen var/tmp
$b chmod 1777 tmp var/tmp
for link in bin sbin lib lib64; do $b ln -s usr/$link $link; done
$b cp -a /host/etc .
$b mount --bind /host/usr usr
$b mount --bind '/host${process.cwd()}' opt/platen
$b mount -t proc proc proc
$b mount -t sysfs sys sys
$b mount -t securityfs security sys/kernel/security
$b mount -t devtmpfs dev dev
$b mkdir -p dev/shm dev/pts
$b mount -t tmpfs -o mode=1777 shm dev/shm
$b mount -t devpts devpts dev/pts
$b ip link set lo up
export PATH=/usr/sbin:/usr/bin
exec $b switch_root /machine /bin/sh -c 'cd /opt/platen && exec node_modules/.bin/node ${guest}'
`;

export interface ApparmorMachine extends VirtualMachine {
  /** What a reader sends for a card. */
  badge(number: string): void;
}

/** @param guest a program of this project, with which the machine ends. */
export async function startApparmorMachine(guest: string): Promise<ApparmorMachine> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-reader-'));
  const reader = join(folder, 'reader');
  const machine = await startVirtualMachine({
    init: init(await bundledGuest(guest)),
    devices: [
      ...['-chardev', `socket,id=reader,path=${reader},server=on,wait=off`],
      ...['-device', 'isa-serial,chardev=reader'],
    ],
  });
  const line = connect(reader);
  await once(line, 'connect');
  return {
    ...machine,
    badge: (number) => void line.write(`${number}\r\n`),
    async [Symbol.asyncDispose]() {
      line.destroy();
      await machine[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}
