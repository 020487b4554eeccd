/**
 * A whole Debian 12 in a virtual machine: its own systemd, udev and consoles before its own kernel, and the package installed,
 * on a processor of this computer's kind or of another.
 * Its disk is two file systems, one over the other: Debian, made once, and what differs in this machine, made for it. What
 * it writes is in memory. A shell of root waits at its second serial port, and the agent's log comes out of the third one.
 * The service and the printer are outside, on its network.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { stringify } from 'yaml';
import type { LogRecord } from '../../src/commands/logs/sentences.ts';
import type { SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import type { VirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { startVirtualPrinter } from '../../src/simulator/printer/printer.ts';
import type { Architecture } from '../../tools/package-modules.ts';
import type { Debian, DebianTree } from '../peers/debian-tree.ts';
import { openTree, originals } from '../peers/debian-tree.ts';
import { makePackage } from '../peers/packaging/made-package.ts';
import { configFile } from '../peers/packaging/package-machine.ts';
import { emulating } from '../support/emulated-arm64.ts';
import { eventually, patience } from '../support/patience.ts';
import type { VirtualMachine } from './virtual-machine.ts';
import { consoleOf, endOf, startVirtualMachine } from './virtual-machine.ts';

export interface WholeMachine extends VirtualMachine {
  /** A script of a shell, as root; gives what it said. Rejects when a line of it fails. */
  sh(script: string): Promise<string>;
  /** What the agent has logged until now, and goes on to. */
  readonly records: readonly LogRecord[];
  /** The next record from this place on that fits. */
  logged(from: number, fits: (record: LogRecord) => boolean, limit?: number): Promise<LogRecord>;
  readonly cloud: SimulatedCloud;
  readonly printer: VirtualPrinter;
}

export interface WholeMachineOptions {
  /** Of each terminal what is its own; each prints at the one printer. */
  readonly terminals: readonly object[];
  /** What else stands in the configuration. */
  readonly config?: object;
  /** What is laid into it beside the package, before it starts. */
  prepare(tree: DebianTree): Promise<void>;
  readonly devices: readonly string[];
  /** MiB. */
  readonly memory: number;
  /** `amd64` unless said; of `arm64`, the package lies at /root/platen.deb, and what is laid in starts nothing. */
  readonly architecture?: Architecture;
}

const debians = {
  amd64: 'a whole Debian 12',
  arm64: 'a whole Debian 12 of arm64',
} as const satisfies Record<Architecture, Debian>;

const packages = [
  'systemd-sysv',
  'udev',
  'dbus',
  'kmod',
  'adduser',
  'libstdc++6',
  'iproute2',
  'apparmor',
  // On these the package depends.
  'fonts-droid-fallback',
  'fonts-nanum',
];
const ownPackages = [
  'linux-image-amd64',
  'pcscd',
  'libccid',
  'sleuthkit',
  'seatd',
  'cage',
  'xwayland',
  'chromium',
  'curl',
  'fonts-dejavu-core',
];
const leftOut = ['doc', 'man', 'locale'].map((folder) => `--dpkgopt=path-exclude=/usr/share/${folder}/*`);

/** Some minutes, once on a computer; half an hour where another processor is emulated. */
function makeDebian(architecture: Architecture): void {
  const original = originals[debians[architecture]];
  const image = `${original}.img`;
  if (!existsSync(original)) {
    const further = architecture === 'amd64' ? ownPackages : ['linux-image-arm64', 'busybox-static'];
    const order = [
      '--quiet',
      '--variant=minbase',
      ...leftOut,
      '--mode=root',
      '--skip=check/qemu',
      `--architectures=${architecture}`,
      `--include=${[...packages, ...further].join(',')}`,
      'bookworm',
      `${original}.part`,
    ];
    const by = architecture === 'amd64' ? [] : emulating;
    execFileSync('env', [...by, 'mmdebstrap', ...order], {
      // The kernel's own initial file system would take half of the time, and is not used.
      env: { ...process.env, INITRD: 'No' },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    renameSync(`${original}.part`, original);
  }
  if (existsSync(image)) return;
  fileSystemOf(original, `${image}.part`, '4G');
  renameSync(`${image}.part`, image);
}

/** Nobody writes to it, so it needs no journal. */
function fileSystemOf(folder: string, file: string, size: string): void {
  rmSync(file, { force: true });
  execFileSync('mke2fs', ['-q', '-t', 'ext4', '-O', '^has_journal', '-d', folder, file, size], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Each line is a script, and so is the answer: how it ended, and what it said. */
const shell = `#!/bin/sh
stty raw -echo
echo ready
while read -r line; do
  said=$(printf %s "$line" | base64 -d | sh -eu 2>&1) && code=0 || code=$?
  printf '%s %s\\n' $code "$(printf %s "$said" | base64 -w 0)"
done
`;

const unit = (port: string, command: string): string => `[Service]
ExecStart=${command}
StandardInput=tty
StandardOutput=tty
TTYPath=/dev/${port}
Restart=always
[Install]
WantedBy=multi-user.target
`;

const log = 'journalctl --quiet --follow --lines=all --output=cat --unit=platen --unit=lab-stick';

interface Peers {
  readonly cloud: SimulatedCloud;
  /** Its URI. */
  readonly printer: string;
}

async function layIn(
  tree: DebianTree,
  folder: string,
  { options, cloud, printer }: Peers & { readonly options: WholeMachineOptions },
): Promise<void> {
  const put = (path: string, text: string, mode = 0o644) => writeFileSync(tree.root + path, text, { mode });
  const { architecture = 'amd64' } = options;
  await cp(await makePackage(folder, architecture), `${tree.root}/root/platen.deb`);
  if (architecture === 'amd64') {
    await tree.run('dpkg', '-i', '/root/platen.deb');
    rmSync(`${tree.root}/root/platen.deb`);
    systemctl(tree, 'enable', 'platen');
  }
  const { shellLine, logLine } = lines[architecture];
  put('/usr/local/bin/lab-shell', shell, 0o755);
  put('/etc/systemd/system/lab-shell.service', unit(shellLine, '/usr/local/bin/lab-shell'));
  put('/etc/systemd/system/lab-log.service', unit(logLine, `stdbuf -oL ${log}`));
  // QEMU's own network: the computer outside is 10.0.2.2, and its loopback.
  put(
    '/etc/systemd/network/lab.network',
    '[Match]\nType=ether\n[Network]\nAddress=10.0.2.15/24\nGateway=10.0.2.2\n',
  );
  systemctl(tree, 'enable', 'lab-shell', 'lab-log', 'systemd-networkd');
  const getty = `serial-getty@${consoleOf(architecture)}`;
  systemctl(tree, 'mask', getty, 'systemd-networkd-wait-online', 'apt-daily.timer');
  await options.prepare(tree);
  const config = {
    cloud: relayService(tree, cloud),
    device: { poll: { firstSeconds: 1 } },
    stateDir: '/var/lib/platen',
    terminals: options.terminals.map((terminal, index) => ({
      id: `terminal-${index}`,
      serialNumber: `SN-000${index}`,
      printer: { uri: outside(printer) },
      ...terminal,
    })),
    ...options.config,
  };
  put(configFile, stringify(config));
}

/** Whatever processor its own is for. */
function systemctl(tree: DebianTree, ...words: readonly string[]): void {
  execFileSync('systemctl', ['--quiet', '--root', tree.root, ...words]);
}

/** What listens outside, at the computer's own loopback, as the machine reaches it. */
function outside(uri: string): string {
  const { protocol, port: number, pathname } = new URL(uri);
  return `${protocol}//10.0.2.2:${number}${pathname}`;
}

const apiPort = 7300;

/**
 * The service outside at the machine's own loopback: over plain HTTP the agent speaks with nothing else. Gives this part of the
 * configuration.
 */
function relayService(tree: DebianTree, { baseUrl, apiKey }: SimulatedCloud): object {
  const unitFile = (name: string, text: string) =>
    writeFileSync(`${tree.root}/etc/systemd/system/lab-cloud.${name}`, text);
  const { host } = new URL(outside(baseUrl));
  unitFile('socket', `[Socket]\nListenStream=127.0.0.1:${apiPort}\n[Install]\nWantedBy=sockets.target\n`);
  unitFile('service', `[Service]\nExecStart=/lib/systemd/systemd-socket-proxyd ${host}\n`);
  mkdirSync(`${tree.root}/etc/platen`, { recursive: true });
  writeFileSync(`${tree.root}/etc/platen/api-key`, apiKey);
  systemctl(tree, 'enable', 'lab-cloud.socket');
  const address = `http://127.0.0.1:${apiPort}`;
  return { baseUrl: address, authUrl: address, apiKey: { file: 'api-key' } };
}

const modules = ['virtio_blk', 'crc16', 'mbcache', 'jbd2', 'crc32c_generic', 'libcrc32c', 'ext4', 'overlay'];

const init = `
$b umount /host
$b mkdir -p /dev /base /layer /memory
$b mount -t devtmpfs dev /dev
$b mount -t ext4 -o ro /dev/vda /base
$b mount -t ext4 -o ro /dev/vdb /layer
$b mount -t tmpfs tmpfs /memory
$b mkdir /memory/upper /memory/work
$b mount -t overlay -o lowerdir=/layer:/base,upperdir=/memory/upper,workdir=/memory/work overlay /machine
$b umount /dev
exec $b switch_root /machine /lib/systemd/systemd
`;

const disk = (name: string, file: string): string[] => [
  '-blockdev',
  `driver=raw,node-name=${name},read-only=on,file.driver=file,file.filename=${file}`,
  '-device',
  `virtio-blk-pci,drive=${name}`,
];

/** Beside the console's, which is the first one of a PC, and no such one elsewhere. */
const lines = {
  amd64: { device: 'isa-serial', shellLine: 'ttyS1', logLine: 'ttyS2' },
  arm64: { device: 'pci-serial', shellLine: 'ttyS0', logLine: 'ttyS1' },
} as const satisfies Record<Architecture, object>;

/** The next serial port of the machine. */
export const port = (name: string, folder: string, architecture: Architecture): string[] => [
  '-chardev',
  `socket,id=${name},path=${join(folder, name)},server=on,wait=off`,
  '-device',
  `${lines[architecture].device},chardev=${name}`,
];

// With its own port for a keyboard, what is typed could go to one that is no USB device.
const usb = ['-machine', 'pc,i8042=off', '-device', 'qemu-xhci,id=usb,p2=8,p3=8'];

export async function startWholeMachine(options: WholeMachineOptions): Promise<WholeMachine> {
  const { architecture = 'amd64' } = options;
  makeDebian(architecture);
  const debian = debians[architecture];
  await using opening = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'platen-whole-'));
  opening.defer(() => rmSync(folder, { recursive: true }));
  const cloud = opening.use(await startCloud({ approval: 'at-once' }));
  const printer = opening.use(await startVirtualPrinter());
  {
    await using tree = await openTree(debian);
    await layIn(tree, folder, { options, cloud, printer: printer.uri });
    fileSystemOf(tree.changes, join(folder, 'layer'), '1G');
  }
  const machine = opening.use(
    await startVirtualMachine({
      init,
      modules,
      kernel: originals[debian],
      architecture,
      memory: options.memory,
      devices: [
        // Its clock goes by instructions, 10^9 a second: that the emulation of them is slow takes none of its time.
        '-icount',
        'shift=0',
        '-rtc',
        'clock=vm',
        ...disk('base', `${originals[debian]}.img`),
        ...disk('layer', join(folder, 'layer')),
        ...port('shell', folder, architecture),
        ...port('log', folder, architecture),
        '-netdev',
        'user,id=outside',
        '-device',
        'virtio-net-pci,netdev=outside',
        ...(architecture === 'amd64' ? usb : []),
        ...options.devices,
      ],
    }),
  );
  const records = opening.use(await followLog(join(folder, 'log')));
  const shellPort = await connected(join(folder, 'shell'));
  opening.defer(() => void shellPort.destroy());
  const sh = await openShell(shellPort);
  const opened = opening.move();
  return { ...machine, ...records, sh, cloud, printer, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

export async function connected(path: string): Promise<Socket> {
  const socket = connect(path);
  await once(socket, 'connect');
  return socket;
}

async function openShell(socket: Socket): Promise<WholeMachine['sh']> {
  const answers: ((line: string) => void)[] = [];
  const ended = endOf(socket);
  let isReady = false;
  createInterface({ input: socket }).on('line', (line) => {
    if (line.includes('ready')) isReady = true;
    else answers.shift()?.(line);
  });
  // All that starts by itself comes before it, on an emulated processor.
  await eventually(
    () => {
      if (!isReady) throw new Error('peer not ready: the machine does not start');
    },
    { limit: 10 * patience() },
  );
  return async (script) => {
    const line = await Promise.race([
      ended,
      new Promise<string>((answered) => {
        answers.push(answered);
        socket.write(`${Buffer.from(script).toString('base64')}\n`);
      }),
    ]);
    const [code, said = ''] = line.trim().split(' ');
    const text = Buffer.from(said, 'base64').toString();
    if (code !== '0') throw new Error(`${script}\nended with ${code}: ${text}`);
    return text;
  };
}

async function followLog(path: string) {
  const socket = await connected(path);
  const records: LogRecord[] = [];
  createInterface({ input: socket }).on('line', (line) => {
    if (line.startsWith('{')) records.push(JSON.parse(line) as LogRecord);
  });
  return {
    records,
    logged: (from: number, fits: (record: LogRecord) => boolean, limit: number = patience()) =>
      eventually(
        () => {
          const found = records.slice(from).find(fits);
          if (!found) throw new Error(`not logged; the last was ${JSON.stringify(records.slice(-5))}`);
          return found;
        },
        { limit },
      ),
    [Symbol.dispose]: () => socket.destroy(),
  };
}
