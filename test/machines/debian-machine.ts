/**
 * A virtual machine with AppArmor, on which Platen lies where its package puts it, beside a system whose files are this
 * machine's. What may be written is in memory. It has a USB keyboard that can be typed on, pulled and put back, a place
 * for a USB stick, and a badge reader at its second serial port. Programs of this project run in it one after the other.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build } from 'vite';
import type { Files } from '../support/stick/stick-maker.ts';
import { makeFat } from '../support/stick/stick-maker.ts';
import type { VirtualMachine } from './virtual-machine.ts';
import { guestFolder, startVirtualMachine } from './virtual-machine.ts';

export interface DebianMachine extends VirtualMachine {
  /** Each key down and up, and Enter; at most seven keys, which is what the keyboard remembers. */
  type(keys: string): Promise<void>;
  pullKeyboard(): Promise<void>;
  plugInKeyboard(): Promise<void>;
  putStickIn(): Promise<void>;
  pullStickOut(): Promise<void>;
  /** What the reader at the serial port sends for a card. */
  badge(number: string): void;
}

const modules = [
  'usb-common',
  'usbcore',
  'xhci-hcd',
  'xhci-pci',
  'hid',
  'usbhid',
  'hid-generic',
  'evdev',
  'crct10dif_common',
  'crc-t10dif',
  'crc64',
  'crc64-rocksoft',
  't10-pi',
  'scsi_common',
  'scsi_mod',
  'sd_mod',
  'usb-storage',
];

/**
 * AppArmor goes by paths from the root of the machine, and within a chroot nobody may make the namespaces of a room: this
 * one needs a root of its own, not a changed one. Each program's end is told; the machine ends after the last one.
 */
const init = (programs: readonly string[]): string => `
$b mount -t tmpfs -o mode=755 tmpfs /machine
cd /machine
$b mkdir -p proc sys dev run/systemd tmp mnt usr opt/platen etc/platen var/lib/platen var/tmp
$b chmod 1777 tmp var/tmp
for link in bin sbin lib lib64; do $b ln -s usr/$link $link; done
for file in passwd group shadow motd ld.so.cache nsswitch.conf hosts apparmor apparmor.d; do $b cp -a /host/etc/$file etc; done
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
exec $b switch_root /machine /bin/sh -c '
  cd /opt/platen
  for program in ${programs.join(' ')}; do
    node_modules/.bin/node $program
    echo "{\\"what\\":\\"ended: $(basename $program .js)\\",\\"code\\":$?}"
  done'
`;

/** With these files on the stick. */
export async function startDebianMachine(guests: readonly string[], files: Files): Promise<DebianMachine> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-reader-'));
  const reader = join(folder, 'reader');
  const image = makeFat(folder, files);
  const programs: string[] = [];
  for (const guest of guests) programs.push(await bundled(guest));
  const machine = await startVirtualMachine({
    init: init(programs),
    modules,
    devices: [
      '-chardev',
      `socket,id=reader,path=${reader},server=on,wait=off`,
      '-device',
      'isa-serial,chardev=reader',
      '-device',
      'qemu-xhci,id=usb',
      '-device',
      'usb-kbd,bus=usb.0,id=keyboard',
      '-blockdev',
      `driver=raw,node-name=image,read-only=on,file.driver=file,file.filename=${image}`,
    ],
  });
  const line = connect(reader);
  await once(line, 'connect');
  const stick = { driver: 'usb-storage', bus: 'usb.0', id: 'stick', drive: 'image', removable: true };
  return {
    ...machine,
    type: (keys) =>
      machine.ask('input-send-event', {
        events: [...keys, 'ret'].flatMap((key) => [keyEvent(key, true), keyEvent(key, false)]),
      }),
    pullKeyboard: () => machine.ask('device_del', { id: 'keyboard' }),
    plugInKeyboard: () => machine.ask('device_add', { driver: 'usb-kbd', bus: 'usb.0', id: 'keyboard' }),
    putStickIn: () => machine.ask('device_add', stick),
    pullStickOut: () => machine.ask('device_del', { id: 'stick' }),
    badge: (number) => void line.write(`${number}\r\n`),
    async [Symbol.asyncDispose]() {
      line.destroy();
      await machine[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

export const keyEvent = (key: string, down: boolean): object => ({
  type: 'key',
  data: { down, key: { type: 'qcode', data: key } },
});

/**
 * A program in one file: an emulated processor takes twenty seconds to load hundreds of modules and to take the types
 * out of them.
 */
export async function bundled(source: string): Promise<string> {
  const entryFileNames = `${basename(source, '.ts')}.js`;
  await build({
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true, external: ['serialport', '@serialport/bindings-cpp', 'koffi'] },
    build: {
      ssr: source,
      target: 'node24',
      outDir: guestFolder,
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames, codeSplitting: false } },
    },
  });
  return `${guestFolder}/${entryFileNames}`;
}
