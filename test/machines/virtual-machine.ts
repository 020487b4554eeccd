/**
 * A virtual machine of QEMU with a kernel of its own: Debian's, whose modules come in an initial file system with
 * busybox, and this machine's own files, read only. It emulates the processor, for /dev/kvm is no common good: one from
 * before AVX, whose wide instructions are dear to emulate.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Interface } from 'node:readline';
import { createInterface } from 'node:readline';
import type { Architecture } from '../../tools/package-modules.ts';
import { eventually, patience } from '../support/patience.ts';

/** `tools/setup` unpacks it there. */
export const kernelFolder = '/var/cache/platen-test/kernel';
export const kernelPackages = 'qemu-system-x86 busybox-static, and Debian’s kernel as tools/setup unpacks it';

/** What is made for virtual machines alone, from the project's root. */
export const guestFolder = 'test-output/guests';

/** QEMU for each processor, and what the kernel there calls its first serial line. */
const emulators = {
  amd64: { program: 'qemu-system-x86_64', machine: ['-cpu', 'Nehalem'], console: 'ttyS0' },
  arm64: {
    program: 'qemu-system-aarch64',
    machine: ['-machine', 'virt', '-cpu', 'cortex-a57'],
    console: 'ttyAMA0',
  },
} as const satisfies Record<Architecture, object>;

export const consoleOf = (architecture: Architecture): string => emulators[architecture].console;

/** In the order in which they need each other. */
const usualModules = [
  'virtio_ring',
  'virtio',
  'virtio_pci_legacy_dev',
  'virtio_pci_modern_dev',
  'virtio_pci',
  'netfs',
  'fscache',
  '9pnet',
  '9pnet_virtio',
  '9p',
];

const beginning = `#!/bin/busybox sh
b=/bin/busybox
set -e
$b mount -t proc proc /proc
for module in /modules/*; do $b insmod $module; done
$b mount -t 9p -o trans=virtio,version=9p2000.L,msize=1048576,cache=loose,ro host /host
$b echo '{"what":"booted"}'
`;

/** A line that a program in the machine has told. */
export interface Told {
  readonly what: string;
  readonly [fact: string]: unknown;
}

export interface VirtualMachine extends AsyncDisposable {
  /** The next line of this kind that nobody has waited for yet; rejects when patience has run out since its last word. */
  told(what: string): Promise<Told>;
  /** By the machine protocol of QEMU. */
  ask(execute: string, more?: object): Promise<void>;
}

export interface MachineOptions {
  /** Commands of a shell, once the files of this machine are at /host; `$b` is busybox. */
  readonly init: string;
  /** Besides the usual ones, and after them. */
  readonly modules?: readonly string[];
  readonly devices?: readonly string[];
  /** Where `boot` and `lib/modules` of its kernel are; those that `tools/setup` unpacks unless said. */
  readonly kernel?: string;
  /** MiB. */
  readonly memory?: number;
  /** `amd64` unless said; of another one, busybox is beside the kernel. */
  readonly architecture?: Architecture;
}

/** Resolves when it has come up, and its own commands begin. */
export async function startVirtualMachine(options: MachineOptions): Promise<VirtualMachine> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-machine-'));
  const monitorPath = join(folder, 'monitor');
  const initrd = packInitrd(folder, options);
  const { program, machine, console } = emulators[options.architecture ?? 'amd64'];
  const qemu = spawn(
    program,
    [
      '-accel',
      'tcg',
      ...machine,
      '-m',
      String(options.memory ?? 768),
      '-nodefaults',
      '-display',
      'none',
      '-no-reboot',
      '-serial',
      'stdio',
      '-kernel',
      unpacked(options.kernel ?? kernelFolder),
      '-initrd',
      initrd,
      // On a busy machine the kernel's look at its timer finds none, and it gives up.
      '-append',
      `console=${console} quiet loglevel=1 panic=-1 mitigations=off no_timer_check`,
      '-fsdev',
      'local,path=/,security_model=none,readonly=on,multidevs=remap,id=host',
      '-device',
      'virtio-9p-pci,fsdev=host,mount_tag=host',
      ...(options.devices ?? []),
      '-qmp',
      `unix:${monitorPath},server=on,wait=off`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const words = createInterface({ input: qemu.stdout });
  const lines: Told[] = [];
  const text: string[] = [];
  words.on('line', (line) => {
    text.push(line);
    const json = line.indexOf('{"what"');
    if (json >= 0) lines.push(JSON.parse(line.slice(json)) as Told);
  });
  const hasEnded = () => qemu.exitCode !== null || qemu.signalCode !== null;

  async function told(what: string): Promise<Told> {
    for (;;) {
      const at = lines.findIndex((line) => line.what === what);
      if (at >= 0) return lines.splice(at, 1)[0] as Told;
      if (hasEnded() || !(await saysMore(words))) {
        throw new Error(`not told: ${what}; told was\n${text.join('\n')}`);
      }
    }
  }

  async function end(): Promise<void> {
    if (!hasEnded() && qemu.kill('SIGKILL')) await once(qemu, 'exit');
    rmSync(folder, { recursive: true });
  }

  try {
    // Its socket is there before anybody listens.
    const monitor = await eventually(() => openMonitor(monitorPath));
    await told('booted');
    return {
      told,
      ask: monitor.ask,
      async [Symbol.asyncDispose]() {
        monitor.close();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw new Error(`peer not ready: the virtual machine: ${String(error)}`, { cause: error });
  }
}

/** `false` when it has ended, or said nothing for as long as patience lasts. */
async function saysMore(words: Interface): Promise<boolean> {
  const over = new AbortController();
  const { signal } = over;
  const limit = setTimeout(() => over.abort(), patience());
  const [line, close] = ['line', 'close'].map((event) => once(words, event, { signal }));
  try {
    return await Promise.race([line?.then(() => true), close?.then(() => false)]).then(Boolean, () => false);
  } finally {
    clearTimeout(limit);
    over.abort();
  }
}

/** How what xz(1) has packed begins. */
const xz = Buffer.from('fd377a585a00', 'hex');

/**
 * Half of the start of Debian's would be its unpacking of itself, emulated. It is unpacked here, once, where xz(1) is at
 * hand; QEMU starts an ELF file by its PVH entry. That of arm64 is not packed.
 */
function unpacked(kernel: string): string {
  const boot = join(kernel, 'boot');
  const name = readdirSync(boot).find((one) => one.startsWith('vmlinuz-')) ?? 'vmlinuz';
  const packed = join(boot, name);
  const whole = join(guestFolder, name.replace('vmlinuz', 'vmlinux'));
  if (existsSync(whole)) return whole;
  mkdirSync(guestFolder, { recursive: true });
  const from = readFileSync(packed).indexOf(xz) + 1;
  const unpack = `tail -c +${from} '${packed}' | xz -dc --single-stream >'${whole}.part'`;
  if (spawnSync('sh', ['-c', unpack]).status !== 0) return packed;
  renameSync(`${whole}.part`, whole);
  return whole;
}

function packInitrd(
  folder: string,
  { init, modules = [], kernel = kernelFolder, architecture = 'amd64' }: MachineOptions,
): string {
  const root = join(folder, 'root');
  for (const part of ['bin', 'proc', 'host', 'machine', 'modules']) {
    mkdirSync(join(root, part), { recursive: true });
  }
  copyFileSync(join(architecture === 'amd64' ? '/' : kernel, 'bin/busybox'), join(root, 'bin/busybox'));
  writeFileSync(join(root, 'init'), beginning + init, { mode: 0o755 });
  const lib = join(kernel, 'lib/modules');
  const paths = readdirSync(lib, { recursive: true, encoding: 'utf8' });
  const builtIn = paths.filter((path) => basename(path) === 'modules.builtin');
  const inKernel = builtIn.map((path) => readFileSync(join(lib, path), 'utf8')).join('');
  for (const [index, name] of [...usualModules, ...modules].entries()) {
    if (inKernel.includes(`/${name}.ko\n`)) continue;
    const path = paths.find((one) => basename(one) === `${name}.ko`);
    if (path === undefined) throw new Error(`Debian’s kernel has no module ${name} here`);
    copyFileSync(join(lib, path), join(root, 'modules', String(index).padStart(2, '0')));
  }
  const initrd = join(folder, 'initrd');
  execFileSync('sh', ['-c', `cd '${root}' && find . | busybox cpio -o -H newc 2>/dev/null > '${initrd}'`]);
  return initrd;
}

/** Rejects when the machine at the other end is gone: nobody answers any more. */
export function endOf(socket: Socket): Promise<never> {
  const ended = once(socket, 'close').then(() => Promise.reject(new Error('the machine has ended')));
  ended.catch(() => {});
  return ended;
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
  const ended = endOf(socket);
  const ask = (execute: string, more: object = {}): Promise<void> =>
    Promise.race([
      ended,
      new Promise<void>((resolve, reject) => {
        answers.push({ resolve, reject });
        socket.write(`${JSON.stringify({ execute, arguments: more })}\n`);
      }),
    ]);
  await ask('qmp_capabilities');
  return { ask, close: () => socket.destroy() };
}
