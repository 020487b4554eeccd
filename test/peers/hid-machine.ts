/**
 * A virtual machine of QEMU with a USB keyboard that can be typed on, pulled and put back: Debian's kernel, whose modules
 * come in an initial file system with busybox, and this machine's own files, read only. It emulates the processor, for
 * /dev/kvm is no common good.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
  copyFileSync,
  mkdtempSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { vi } from 'vitest';

/** `tools/setup` unpacks it there. */
export const kernelFolder = '/var/cache/platen-test/kernel';

const modules = [
  ...['virtio', 'virtio_ring', 'virtio_pci_legacy_dev', 'virtio_pci_modern_dev', 'virtio_pci'],
  ...['netfs', 'fscache', '9pnet', '9pnet_virtio', '9p'],
  ...['usb-common', 'usbcore', 'xhci-hcd', 'xhci-pci', 'hid', 'usbhid', 'hid-generic', 'evdev'],
];

/** Passes over the modules, until each one has found those it needs. */
const init = (program: string): string => `#!/bin/busybox sh
b=/bin/busybox
$b mount -t proc proc /proc
for pass in 1 2 3; do for module in /*.ko; do $b insmod $module 2>/dev/null; done; done
$b mount -t 9p -o trans=virtio,version=9p2000.L,msize=1048576,cache=loose,ro host /host
$b mount -t proc proc /host/proc
$b mount -t sysfs sys /host/sys
$b mount -t devtmpfs dev /host/dev
$b chroot /host ${process.execPath} ${program}
$b echo '{"what":"ended"}'
$b poweroff -f
`;

/** A line that the program in the machine has told. */
export interface Told {
  readonly what: string;
  readonly [fact: string]: unknown;
}

export interface Machine extends AsyncDisposable {
  /** The next line of this kind that nobody has waited for yet. */
  told(what: string, options?: { readonly within: number }): Promise<Told>;
  /** Each key down and up, and Enter; at most seven keys, which is what the keyboard remembers. */
  type(keys: string): Promise<void>;
  pullKeyboard(): Promise<void>;
  plugInKeyboard(): Promise<void>;
}

export async function startMachine(program: string): Promise<Machine> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-machine-'));
  const monitorPath = join(folder, 'monitor');
  const initrd = packInitrd(folder, program);
  const kernel = findKernel();
  const qemu = spawn(
    'qemu-system-x86_64',
    [
      ...['-accel', 'tcg', '-cpu', 'max', '-m', '768'],
      ...['-nodefaults', '-display', 'none', '-no-reboot', '-serial', 'stdio'],
      ...['-kernel', kernel, '-initrd', initrd],
      ...['-append', 'console=ttyS0 quiet loglevel=1 panic=-1 mitigations=off'],
      ...['-fsdev', 'local,path=/,security_model=none,readonly=on,multidevs=remap,id=host'],
      ...['-device', 'virtio-9p-pci,fsdev=host,mount_tag=host'],
      ...['-device', 'qemu-xhci,id=usb', '-device', 'usb-kbd,bus=usb.0,id=keyboard'],
      ...['-qmp', `unix:${monitorPath},server=on,wait=off`],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const lines: Told[] = [];
  const text: string[] = [];
  createInterface({ input: qemu.stdout }).on('line', (line) => {
    text.push(line);
    const json = line.indexOf('{"what"');
    if (json >= 0) lines.push(JSON.parse(line.slice(json)) as Told);
  });
  await vi.waitFor(() => {
    if (!existsSync(monitorPath)) throw new Error('qemu has not started');
  }, 5000);
  const monitor = await openMonitor(monitorPath);

  return {
    told: (what, { within } = { within: 60_000 }) =>
      vi.waitFor(
        () => {
          const at = lines.findIndex((line) => line.what === what);
          if (at < 0) throw new Error(`not told: ${what}; told was\n${text.join('\n')}`);
          const [line] = lines.splice(at, 1);
          return line as Told;
        },
        { timeout: within, interval: 20 },
      ),
    type: (keys) =>
      monitor.ask('input-send-event', {
        events: [...keys, 'ret'].flatMap((key) => [keyEvent(key, true), keyEvent(key, false)]),
      }),
    pullKeyboard: () => monitor.ask('device_del', { id: 'keyboard' }),
    plugInKeyboard: () => monitor.ask('device_add', { driver: 'usb-kbd', bus: 'usb.0', id: 'keyboard' }),
    async [Symbol.asyncDispose]() {
      monitor.close();
      const isRunning = qemu.exitCode === null && qemu.signalCode === null;
      if (isRunning && qemu.kill('SIGKILL')) await once(qemu, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
}

const keyEvent = (key: string, down: boolean): object => ({
  type: 'key',
  data: { down, key: { type: 'qcode', data: key } },
});

function findKernel(): string {
  const boot = join(kernelFolder, 'boot');
  const name = readdirSync(boot).find((one) => one.startsWith('vmlinuz-')) ?? 'vmlinuz';
  return join(boot, name);
}

function packInitrd(folder: string, program: string): string {
  const root = join(folder, 'root');
  for (const part of ['bin', 'proc', 'host']) mkdirSync(join(root, part), { recursive: true });
  copyFileSync('/bin/busybox', join(root, 'bin/busybox'));
  writeFileSync(join(root, 'init'), init(program), { mode: 0o755 });
  const wanted = new Set(modules.map((name) => `${name}.ko`));
  for (const path of readdirSync(join(kernelFolder, 'lib'), { recursive: true, encoding: 'utf8' })) {
    if (wanted.has(basename(path))) copyFileSync(join(kernelFolder, 'lib', path), join(root, basename(path)));
  }
  const initrd = join(folder, 'initrd');
  execFileSync('sh', ['-c', `cd '${root}' && find . | busybox cpio -o -H newc 2>/dev/null > '${initrd}'`]);
  return initrd;
}

/** The machine protocol of QEMU (docs/interop/qmp-spec): one line of JSON each way; events in between count for nothing. */
async function openMonitor(path: string) {
  const socket = connect(path);
  await once(socket, 'connect');
  const answers: { resolve(): void; reject(error: Error): void }[] = [];
  createInterface({ input: socket }).on('line', (line) => {
    const { return: result, error } = JSON.parse(line) as { return?: object; error?: { desc: string } };
    if (result) answers.shift()?.resolve();
    if (error) answers.shift()?.reject(new Error(error.desc));
  });
  const ask = (execute: string, more: object = {}): Promise<void> =>
    new Promise((resolve, reject) => {
      answers.push({ resolve, reject });
      socket.write(`${JSON.stringify({ execute, arguments: more })}\n`);
    });
  await ask('qmp_capabilities');
  return { ask, close: () => socket.destroy() };
}
