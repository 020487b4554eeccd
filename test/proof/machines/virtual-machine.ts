/**
 * A virtual machine of QEMU with a kernel of its own: Debian's, whose modules come in an initial file system with
 * busybox, and this machine's own files, read only. It emulates the processor, for /dev/kvm is no common good: one from
 * before AVX, whose wide instructions are dear to emulate, and of five steps to an address none.
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
import { eventually, patience } from '../../support/patience.ts';

/** `tools/setup` unpacks it there. */
export const kernelFolder = '/var/cache/platen-test/kernel';
export const kernelPackages = 'qemu-system-x86 busybox-static, and Debian’s kernel as tools/setup unpacks it';

const usualModules = [
  ...['virtio', 'virtio_ring', 'virtio_pci_legacy_dev', 'virtio_pci_modern_dev', 'virtio_pci'],
  ...['netfs', 'fscache', '9pnet', '9pnet_virtio', '9p'],
];

/** Passes over the modules, until each one has found those it needs. */
const beginning = `#!/bin/busybox sh
b=/bin/busybox
$b mount -t proc proc /proc
for pass in 1 2 3; do for module in /*.ko; do $b insmod $module 2>/dev/null; done; done
$b mount -t 9p -o trans=virtio,version=9p2000.L,msize=1048576,cache=loose,ro host /host
`;

/** A line that a program in the machine has told. */
export interface Told {
  readonly what: string;
  readonly [fact: string]: unknown;
}

export interface VirtualMachine extends AsyncDisposable {
  /** The next line of this kind that nobody has waited for yet. */
  told(what: string, options?: { readonly within?: number }): Promise<Told>;
  /** By the machine protocol of QEMU. */
  ask(execute: string, more?: object): Promise<void>;
}

export interface MachineOptions {
  /** Commands of a shell, once the files of this machine are at /host; `$b` is busybox. */
  readonly init: string;
  readonly modules?: readonly string[];
  readonly devices?: readonly string[];
}

export async function startVirtualMachine(options: MachineOptions): Promise<VirtualMachine> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-machine-'));
  const monitorPath = join(folder, 'monitor');
  const initrd = packInitrd(folder, options);
  const qemu = spawn(
    'qemu-system-x86_64',
    [
      ...['-accel', 'tcg', '-cpu', 'Nehalem', '-m', '768'],
      ...['-nodefaults', '-display', 'none', '-no-reboot', '-serial', 'stdio'],
      ...['-kernel', findKernel(), '-initrd', initrd],
      // On a busy machine the kernel's look at its timer finds none, and it gives up.
      ...['-append', 'console=ttyS0 quiet loglevel=1 panic=-1 mitigations=off no_timer_check'],
      ...['-fsdev', 'local,path=/,security_model=none,readonly=on,multidevs=remap,id=host'],
      ...['-device', 'virtio-9p-pci,fsdev=host,mount_tag=host'],
      ...(options.devices ?? []),
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
  await eventually(() => {
    if (!existsSync(monitorPath)) throw new Error('qemu has not started');
  });
  const monitor = await openMonitor(monitorPath);

  return {
    told: (what, { within = patience() } = {}) =>
      eventually(
        () => {
          const at = lines.findIndex((line) => line.what === what);
          if (at < 0) throw new Error(`not told: ${what}; told was\n${text.join('\n')}`);
          const [line] = lines.splice(at, 1);
          return line as Told;
        },
        { limit: within },
      ),
    ask: monitor.ask,
    async [Symbol.asyncDispose]() {
      monitor.close();
      const isRunning = qemu.exitCode === null && qemu.signalCode === null;
      if (isRunning && qemu.kill('SIGKILL')) await once(qemu, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
}

function findKernel(): string {
  const boot = join(kernelFolder, 'boot');
  const name = readdirSync(boot).find((one) => one.startsWith('vmlinuz-')) ?? 'vmlinuz';
  return join(boot, name);
}

function packInitrd(folder: string, { init, modules = [] }: MachineOptions): string {
  const root = join(folder, 'root');
  for (const part of ['bin', 'proc', 'host', 'machine']) mkdirSync(join(root, part), { recursive: true });
  copyFileSync('/bin/busybox', join(root, 'bin/busybox'));
  writeFileSync(join(root, 'init'), beginning + init, { mode: 0o755 });
  const wanted = new Set([...usualModules, ...modules].map((name) => `${name}.ko`));
  for (const path of readdirSync(join(kernelFolder, 'lib'), { recursive: true, encoding: 'utf8' })) {
    if (wanted.has(basename(path))) copyFileSync(join(kernelFolder, 'lib', path), join(root, basename(path)));
  }
  const initrd = join(folder, 'initrd');
  execFileSync('sh', ['-c', `cd '${root}' && find . | busybox cpio -o -H newc 2>/dev/null > '${initrd}'`]);
  return initrd;
}

/**
 * The machine protocol of QEMU (docs/interop/qmp-spec): one line of JSON each way; events in between count for nothing.
 */
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
