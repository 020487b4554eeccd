/**
 * A whole Debian 12 in a virtual machine: its own systemd, udev and consoles before its own kernel, and the package installed.
 * Its disk is two file systems, one over the other: Debian, made once, and what differs in this machine, made for it. What
 * it writes is in memory. A shell of root waits at its second serial port, and the agent's log comes out of the third one.
 * The service and the printer are outside, on its network.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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
import { startVirtualPrinter } from '../../src/simulator/printer/printer.ts';
import type { DebianTree } from '../peers/debian-tree.ts';
import { openTree, originals } from '../peers/debian-tree.ts';
import { makePackage, ownArchitecture } from '../peers/packaging/made-package.ts';
import { configFile } from '../peers/packaging/package-machine.ts';
import { eventually, patience } from '../support/patience.ts';
import type { VirtualMachine } from './virtual-machine.ts';
import { endOf, startVirtualMachine } from './virtual-machine.ts';

export interface WholeMachine extends VirtualMachine {
  /** A script of a shell, as root; gives what it said. Rejects when a line of it fails. */
  sh(script: string): Promise<string>;
  /** What the agent has logged until now, and goes on to. */
  readonly records: readonly LogRecord[];
  /** The next record from this place on that fits. */
  logged(from: number, fits: (record: LogRecord) => boolean, limit?: number): Promise<LogRecord>;
  readonly cloud: SimulatedCloud;
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
}

const original = originals['a whole Debian 12'];
const image = `${original}.img`;

const packages = [
  'linux-image-amd64',
  'systemd-sysv',
  'udev',
  'dbus',
  'kmod',
  'adduser',
  'libstdc++6',
  'iproute2',
  'apparmor',
  'pcscd',
  'libccid',
  'sleuthkit',
  'seatd',
  'cage',
  'xwayland',
  'chromium',
  'curl',
  'fonts-dejavu-core',
  // On these the package depends.
  'fonts-droid-fallback',
  'fonts-nanum',
];
const leftOut = ['doc', 'man', 'locale'].map((folder) => `--dpkgopt=path-exclude=/usr/share/${folder}/*`);

/** Some minutes, once on a computer. */
function makeDebian(): void {
  if (!existsSync(original)) {
    execFileSync(
      'mmdebstrap',
      [
        '--quiet',
        '--variant=minbase',
        ...leftOut,
        `--include=${packages.join(',')}`,
        'bookworm',
        `${original}.part`,
      ],
      // The kernel's own initial file system would take half of the time, and is not used.
      { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, INITRD: 'No' } },
    );
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
  await cp(await makePackage(folder, ownArchitecture), `${tree.root}/root/platen.deb`);
  await tree.run('dpkg', '-i', '/root/platen.deb');
  rmSync(`${tree.root}/root/platen.deb`);
  put('/usr/local/bin/lab-shell', shell, 0o755);
  put('/etc/systemd/system/lab-shell.service', unit('ttyS1', '/usr/local/bin/lab-shell'));
  put('/etc/systemd/system/lab-log.service', unit('ttyS2', `stdbuf -oL ${log}`));
  // QEMU's own network: the computer outside is 10.0.2.2, and its loopback.
  put(
    '/etc/systemd/network/lab.network',
    '[Match]\nType=ether\n[Network]\nAddress=10.0.2.15/24\nGateway=10.0.2.2\n',
  );
  await tree.run('systemctl', 'enable', 'lab-shell', 'lab-log', 'systemd-networkd');
  await tree.run(
    'systemctl',
    'mask',
    'serial-getty@ttyS0',
    'systemd-networkd-wait-online',
    'apt-daily.timer',
  );
  await options.prepare(tree);
  const config = {
    cloud: await relayService(tree, cloud),
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
async function relayService(tree: DebianTree, { baseUrl, apiKey }: SimulatedCloud): Promise<object> {
  const unitFile = (name: string, text: string) =>
    writeFileSync(`${tree.root}/etc/systemd/system/lab-cloud.${name}`, text);
  const { host } = new URL(outside(baseUrl));
  unitFile('socket', `[Socket]\nListenStream=127.0.0.1:${apiPort}\n[Install]\nWantedBy=sockets.target\n`);
  unitFile('service', `[Service]\nExecStart=/lib/systemd/systemd-socket-proxyd ${host}\n`);
  writeFileSync(`${tree.root}/etc/platen/api-key`, apiKey);
  await tree.run('systemctl', 'enable', 'lab-cloud.socket', 'platen');
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

/** At a serial port of the machine. */
const port = (name: string, folder: string): string[] => [
  '-chardev',
  `socket,id=${name},path=${join(folder, name)},server=on,wait=off`,
  '-device',
  `isa-serial,chardev=${name}`,
];

export async function startWholeMachine(options: WholeMachineOptions): Promise<WholeMachine> {
  makeDebian();
  await using opening = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'platen-whole-'));
  opening.defer(() => rmSync(folder, { recursive: true }));
  const cloud = opening.use(await startCloud({ approval: 'at-once' }));
  const printer = opening.use(await startVirtualPrinter());
  {
    await using tree = await openTree('a whole Debian 12');
    await layIn(tree, folder, { options, cloud, printer: printer.uri });
    fileSystemOf(tree.changes, join(folder, 'layer'), '1G');
  }
  const machine = opening.use(
    await startVirtualMachine({
      init,
      modules,
      kernel: original,
      memory: options.memory,
      devices: [
        // Its clock goes by instructions, 10^9 a second: that the emulation of them is slow takes none of its time.
        '-icount',
        'shift=0',
        '-rtc',
        'clock=vm',
        ...disk('base', image),
        ...disk('layer', join(folder, 'layer')),
        ...port('shell', folder),
        ...port('log', folder),
        '-netdev',
        'user,id=outside',
        '-device',
        'virtio-net-pci,netdev=outside',
        // Without it, what is typed could go to a keyboard that is no USB device.
        '-machine',
        'pc,i8042=off',
        '-device',
        'qemu-xhci,id=usb,p2=8,p3=8',
        ...options.devices,
      ],
    }),
  );
  const records = opening.use(await followLog(join(folder, 'log')));
  const shellPort = await connected(join(folder, 'shell'));
  opening.defer(() => void shellPort.destroy());
  const sh = await openShell(shellPort);
  const opened = opening.move();
  return { ...machine, ...records, sh, cloud, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

async function connected(path: string): Promise<Socket> {
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
