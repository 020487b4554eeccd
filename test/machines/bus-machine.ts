/**
 * A whole machine with readers of every kind on its USB ports, each at a terminal of its own, and a place for a stick. Two
 * are of the same kind each, and the second ones are behind a hub. Nothing is plugged in when it starts. QEMU has no reader
 * of raw reports and no CDC-ACM: these two are gadgets of the machine's own kernel, at ports of dummy_hcd in it.
 */
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DebianTree } from '../peers/debian-tree.ts';
import { makeFat } from '../support/stick/stick-maker.ts';
import type { CardSlot } from './card-slot.ts';
import { openCardSlot } from './card-slot.ts';
import { bundled, keyEvent } from './debian-machine.ts';
import type { VirtualMachine } from './virtual-machine.ts';
import type { WholeMachine } from './whole-machine.ts';
import { startWholeMachine } from './whole-machine.ts';

export interface Pluggable {
  plug(): Promise<void>;
  pull(): Promise<void>;
}

export interface Device extends Pluggable {
  /** As the agent names it. */
  readonly name: string;
  readonly kind: 'serial' | 'keyboard' | 'card' | 'raw';
  /** The beginning of a number, without its end; a card has none. */
  begin(number: string): Promise<void>;
  /** Six digits. */
  badge(number: string): Promise<void>;
  /** The card, where one lies there. */
  takeAway(): void;
}

export interface BusMachine extends AsyncDisposable {
  readonly machine: WholeMachine;
  readonly devices: Readonly<
    Record<'serialA' | 'serialB' | 'keyboardA' | 'keyboardB' | 'card' | 'raw' | 'modem', Device>
  >;
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
  { type: 'hid', device: '0801:0002', layout: 'magtek-track-2' },
  { type: 'serial', device: '0525:a4a7' },
];

/** A swipe reader of MagTek (D99875191): where its report has the length of the second track, and the track. */
const magTek = {
  octets: 337,
  length: 4,
  number: 117,
  /** A page of the maker's own: 337 octets to the computer. */
  description: Buffer.from('0600ff0901a1010920150026ff0075089651018102c0', 'hex'),
};

/** A command that gives these octets. */
const given = (octets: Buffer): string => `echo ${octets.toString('base64')} | base64 -d`;

const keyboardRule =
  'SUBSYSTEM=="input", KERNEL=="event*", ATTRS{idVendor}=="0627", ATTRS{idProduct}=="0001", ENV{PLATEN_READER}="keyboard"\n';

/** systemd lets QEMU's keyboards sleep after 2 s (60-autosuspend.hwdb), and what is typed there does not wake them. */
const wakeRule =
  'ACTION=="add", SUBSYSTEM=="usb", ATTR{idVendor}=="0627", TEST=="power/control", ATTR{power/control}="on"\n';

const stickUnit = (program: string): string =>
  `[Service]\nExecStart=/opt/platen/node_modules/.bin/node ${program}\n[Install]\nWantedBy=multi-user.target\n`;

async function layIn(tree: DebianTree): Promise<void> {
  const put = (path: string, text: string) => writeFileSync(tree.root + path, text);
  const program = await bundled(fileURLToPath(new URL('stick-guest.ts', import.meta.url)));
  const stickProgram = `/usr/local/lib/${basename(program, '.js')}.mjs`;
  copyFileSync(program, tree.root + stickProgram);
  await tree.run('sh', '/opt/platen/systemd/install', '--stick');
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
  const image = makeFat(folder, { 'a.pdf': stickFile });
  const machine = opening.use(
    await startWholeMachine({
      memory: 1024,
      terminals: readers.map((reader) => ({ readers: [reader] })),
      config: { log: { level: 'debug' } },
      prepare: layIn,
      devices: [
        // A keyboard of QEMU belongs to a screen, and is typed at there.
        '-device',
        'VGA,id=screenA',
        '-device',
        'secondary-vga,id=screenB',
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
    raw: rawReader(machine),
    modem: modem(machine),
  };
  await machine.sh(makeGadgets);
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

/** They wait in configfs (usb/gadget_configfs.rst of the kernel's documentation) until they are bound to a port. */
const makeGadgets = `
  modprobe -a libcomposite usb_f_hid usb_f_acm
  modprobe dummy_hcd num=2
  mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
  make() {
    mkdir -p $1/strings/0x409 $1/configs/c.1 $1/functions/$4
    echo $2 >$1/idVendor
    echo $3 >$1/idProduct
    ln -s $1/functions/$4 $1/configs/c.1
  }
  cd /sys/kernel/config/usb_gadget
  make $PWD/modem 0x0525 0xa4a7 acm.0
  mkdir -p raw/functions/hid.0
  echo ${magTek.octets} >raw/functions/hid.0/report_length
  ${given(magTek.description)} >raw/functions/hid.0/report_desc
  make $PWD/raw 0x0801 0x0002 hid.0`;

const gadget = (name: 'raw' | 'modem', controller: number, machine: WholeMachine): Pluggable => {
  const at = `/sys/kernel/config/usb_gadget/${name}/UDC`;
  return {
    plug: async () => void (await machine.sh(`echo dummy_udc.${controller} >${at}`)),
    pull: async () => void (await machine.sh(`echo >${at}`)),
  };
};

function rawReader(machine: WholeMachine): Device {
  return {
    name: '0801:0002',
    kind: 'raw',
    ...gadget('raw', 0, machine),
    // A report is whole or not there.
    begin: async () => {},
    async badge(number) {
      const track = `;${number}?`;
      const report = Buffer.alloc(magTek.octets);
      report[magTek.length] = track.length;
      report.write(track, magTek.number, 'latin1');
      await machine.sh(`${given(report)} >/dev/hidg0`);
    },
    takeAway() {},
  };
}

/** CDC-ACM is what a modem says of itself. */
function modem(machine: WholeMachine): Device {
  const say = async (text: string) =>
    void (await machine.sh(`stty -F /dev/ttyGS0 raw -echo; printf '${text}' >/dev/ttyGS0`));
  return {
    name: '0525:a4a7',
    kind: 'serial',
    ...gadget('modem', 1, machine),
    begin: say,
    badge: (number) => say(`${number}\\r\\n`),
    takeAway() {},
  };
}

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
