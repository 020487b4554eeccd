/**
 * A whole machine with readers of every kind on its USB ports, each at a terminal of its own, and a place for a stick. Two
 * are of the same kind each, and the second ones are behind a hub. Nothing is plugged in when it starts. The service and the
 * printer are outside, on its network.
 */
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import type { SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { startVirtualPrinter } from '../../src/simulator/printer/printer.ts';
import type { DebianTree } from '../peers/debian-tree.ts';
import { configFile } from '../peers/packaging/package-machine.ts';
import { makeFat } from '../support/stick/stick-maker.ts';
import type { CardSlot } from './card-slot.ts';
import { openCardSlot } from './card-slot.ts';
import { bundled, keyEvent } from './debian-machine.ts';
import type { VirtualMachine } from './virtual-machine.ts';
import type { WholeMachine } from './whole-machine.ts';
import { outside, relayService, startWholeMachine } from './whole-machine.ts';

export interface Pluggable {
  plug(): Promise<void>;
  pull(): Promise<void>;
}

export interface Device extends Pluggable {
  /** As the agent names it. */
  readonly name: string;
  readonly kind: 'serial' | 'keyboard' | 'card';
  /** The beginning of a number, without its end; a card has none. */
  begin(number: string): Promise<void>;
  /** Six digits. */
  badge(number: string): Promise<void>;
  /** The card, where one lies there. */
  takeAway(): void;
}

export interface BusMachine extends AsyncDisposable {
  readonly machine: WholeMachine;
  readonly cloud: SimulatedCloud;
  readonly devices: Readonly<Record<'serialA' | 'serialB' | 'keyboardA' | 'keyboardB' | 'card', Device>>;
  /** With the second serial adapter, the second keyboard and the reader of smart cards behind it. */
  readonly hub: Pluggable;
  readonly stick: Pluggable;
  /** What its file has, as sha256(1) would say. */
  readonly content: Buffer;
}

const stickFile = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(2 * 2 ** 20, 'x')]);

const readers = [
  { type: 'serial', device: '0403:6001:A' },
  { type: 'serial', device: '0403:6001:B' },
  { type: 'hid', device: '0627:0001:A' },
  { type: 'hid', device: '0627:0001:B' },
  { type: 'pcsc' },
];

const config = (cloud: object, printer: string): object => ({
  cloud,
  device: { poll: { firstSeconds: 1 } },
  stateDir: '/var/lib/platen',
  log: { level: 'debug' },
  terminals: readers.map((reader, index) => ({
    id: `terminal-${index}`,
    serialNumber: `SN-000${index}`,
    printer: { uri: printer },
    readers: [reader],
  })),
});

const keyboardRule =
  'SUBSYSTEM=="input", KERNEL=="event*", ATTRS{idVendor}=="0627", ATTRS{idProduct}=="0001", ENV{PLATEN_READER}="keyboard"\n';

/** systemd lets QEMU's keyboards sleep after 2 s (60-autosuspend.hwdb), and what is typed there does not wake them. */
const wakeRule =
  'ACTION=="add", SUBSYSTEM=="usb", ATTR{idVendor}=="0627", TEST=="power/control", ATTR{power/control}="on"\n';

const stickUnit = (program: string): string =>
  `[Service]\nExecStart=/opt/platen/node_modules/.bin/node ${program}\n[Install]\nWantedBy=multi-user.target\n`;

async function layIn(tree: DebianTree, { cloud, printer }: { cloud: SimulatedCloud; printer: string }) {
  const put = (path: string, text: string) => writeFileSync(tree.root + path, text);
  const program = await bundled(fileURLToPath(new URL('stick-guest.ts', import.meta.url)));
  const stickProgram = `/usr/local/lib/${basename(program, '.js')}.mjs`;
  copyFileSync(program, tree.root + stickProgram);
  await tree.run('sh', '/opt/platen/systemd/install', '--stick');
  put(configFile, stringify(config(relayService(tree, cloud), outside(printer))));
  put('/etc/udev/rules.d/70-platen-local.rules', keyboardRule);
  put('/etc/udev/rules.d/99-lab.rules', wakeRule);
  mkdirSync(`${tree.root}/etc/systemd/system/platen.service.d`);
  for (const name of ['usb-readers.conf', 'pcscd.conf'])
    copyFileSync(
      `systemd/platen.service.d/${name}`,
      `${tree.root}/etc/systemd/system/platen.service.d/${name}`,
    );
  put('/etc/systemd/system/lab-stick.service', stickUnit(stickProgram));
  await tree.run('systemctl', 'enable', 'lab-stick', 'platen-stick.socket');
}

const socketAt = (name: string, folder: string): string[] => [
  '-chardev',
  `socket,id=${name},path=${join(folder, name)},server=on,wait=off`,
];

export async function startBusMachine(): Promise<BusMachine> {
  await using opening = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'platen-buses-'));
  opening.defer(() => rmSync(folder, { recursive: true }));
  const cloud = opening.use(await startCloud({ approval: 'at-once' }));
  const printer = opening.use(await startVirtualPrinter());
  const image = makeFat(folder, { 'a.pdf': stickFile });
  const machine = opening.use(
    await startWholeMachine({
      memory: 1024,
      prepare: (tree) => layIn(tree, { cloud, printer: printer.uri }),
      devices: [
        // Without it, what is typed could go to a keyboard that is no USB device.
        '-machine',
        'pc,i8042=off',
        // A keyboard of QEMU belongs to a screen, and is typed at there.
        '-device',
        'VGA,id=screenA',
        '-device',
        'secondary-vga,id=screenB',
        '-device',
        'qemu-xhci,id=usb,p2=8,p3=8',
        ...['serialA', 'serialB', 'card'].flatMap((name) => socketAt(name, folder)),
        '-blockdev',
        `driver=raw,node-name=image,read-only=on,file.driver=file,file.filename=${image}`,
      ],
    }),
  );
  const lines = {
    A: opening.use(await lineTo(join(folder, 'serialA'))),
    B: opening.use(await lineTo(join(folder, 'serialB'))),
  };
  const at = (machinePart: VirtualMachine, place: string) => ({ machine: machinePart, port: place });
  const devices = {
    serialA: serial('A', lines.A, at(machine, '1')),
    keyboardA: keyboard('A', at(machine, '2')),
    serialB: serial('B', lines.B, at(machine, '3.1')),
    keyboardB: keyboard('B', at(machine, '3.2')),
    card: cardReader(join(folder, 'card'), at(machine, '3.3')),
  };
  const { serialB, keyboardB, card } = devices;
  const emptyHub = plugOf({ driver: 'usb-hub', id: 'hub' }, at(machine, '3'));
  const hub: Pluggable = {
    async plug() {
      await emptyHub.plug();
      for (const device of [serialB, keyboardB, card]) await device.plug();
    },
    pull: emptyHub.pull,
  };
  const stick = plugOf(
    { driver: 'usb-storage', id: 'stick', drive: 'image', removable: true },
    at(machine, '4'),
  );
  const opened = opening.move();
  return {
    machine,
    cloud,
    devices,
    hub,
    stick,
    content: stickFile,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

interface Place {
  readonly machine: VirtualMachine;
  /** Of the controller; `3.1` is the first one of the hub at the third. */
  readonly port: string;
}

const plugOf = (
  device: { readonly id: string; readonly [property: string]: unknown },
  { machine, port }: Place,
): Pluggable => ({
  plug: () => machine.ask('device_add', { ...device, bus: 'usb.0', port }),
  pull: () => machine.ask('device_del', { id: device.id }),
});

async function lineTo(path: string): Promise<Disposable & { readonly socket: Socket }> {
  const socket = connect(path);
  await once(socket, 'connect');
  return { socket, [Symbol.dispose]: () => socket.destroy() };
}

function serial(which: string, { socket }: { socket: Socket }, place: Place): Device {
  const chardev = `serial${which}`;
  const say = async (text: string): Promise<void> => void socket.write(text);
  return {
    name: `0403:6001:${which}`,
    kind: 'serial',
    ...plugOf({ driver: 'usb-serial', id: chardev, chardev, serial: which }, place),
    begin: say,
    badge: (number) => say(`${number}\r\n`),
    takeAway() {},
  };
}

function keyboard(which: string, place: Place): Device {
  const display = `screen${which}`;
  const { machine } = place;
  const type = (keys: readonly string[]): Promise<void> =>
    machine.ask('input-send-event', {
      device: display,
      events: keys.flatMap((key) => [keyEvent(key, true), keyEvent(key, false)]),
    });
  return {
    name: `0627:0001:${which}`,
    kind: 'keyboard',
    ...plugOf({ driver: 'usb-kbd', id: `keyboard${which}`, display, serial: which }, place),
    begin: (number) => type([...number]),
    badge: (number) => type([...number, 'ret']),
    takeAway() {},
  };
}

function cardReader(path: string, place: Place): Device {
  let slot: CardSlot | undefined;
  const { plug, pull } = plugOf({ driver: 'usb-ccid', id: 'card' }, place);
  return {
    name: 'pcsc',
    kind: 'card',
    async plug() {
      // The one of the reader that was there before.
      await slot?.[Symbol.asyncDispose]();
      await plug();
      await place.machine.ask('device_add', { driver: 'ccid-card-passthru', bus: 'card.0', chardev: 'card' });
      slot = await openCardSlot(path);
    },
    pull,
    begin: async () => {},
    async badge(number) {
      slot?.lay(number);
    },
    takeAway: () => slot?.takeAway(),
  };
}
