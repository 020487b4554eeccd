/**
 * A whole machine with a screen, a keyboard and a panel that is touched, and the package's kiosk on it: seatd, cage and
 * Chromium in their unit. Nobody draws for it but the processor.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { startVirtualPrinter } from '../../src/simulator/printer/printer.ts';
import type { DebianTree } from '../peers/debian-tree.ts';
import { configFile } from '../peers/packaging/package-machine.ts';
import type { WholeMachine } from './whole-machine.ts';
import { outside, relayService, startWholeMachine } from './whole-machine.ts';

export interface Picture {
  /** Of each colour, as `r,g,b`, the part of the screen, the largest first. */
  readonly colours: readonly (readonly [colour: string, part: number])[];
}

export interface ScreenMachine extends AsyncDisposable {
  readonly machine: WholeMachine;
  picture(name?: string): Promise<Picture>;
  /** Held together, by the names that QEMU has for them. */
  press(...keys: readonly string[]): Promise<void>;
  /** At a place of the screen, each from 0 to 1. */
  touch(x: number, y: number): Promise<void>;
}

const drawnByProcessor = '[Service]\nEnvironment=WLR_RENDERER=pixman\n';

async function layIn(tree: DebianTree, { cloud, printer }: { cloud: SimulatedCloud; printer: string }) {
  await tree.run('sh', '/opt/platen/systemd/install', '--kiosk', 'entrance');
  const units = `${tree.root}/etc/systemd/system`;
  mkdirSync(`${units}/platen-kiosk.service.d`);
  writeFileSync(`${units}/platen-kiosk.service.d/pixman.conf`, drawnByProcessor);
  const config = {
    cloud: relayService(tree, cloud),
    device: { poll: { firstSeconds: 1 } },
    stateDir: '/var/lib/platen',
    terminals: [{ id: 'entrance', serialNumber: 'SN-0001', printer: { uri: outside(printer) } }],
    kiosk: { user: 'platen-kiosk' },
  };
  writeFileSync(tree.root + configFile, stringify(config));
  await tree.run('systemctl', 'enable', 'platen-kiosk');
}

export async function startScreenMachine(): Promise<ScreenMachine> {
  await using opening = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'platen-screens-'));
  opening.defer(() => rmSync(folder, { recursive: true }));
  const cloud = opening.use(await startCloud({ approval: 'at-once' }));
  const printer = opening.use(await startVirtualPrinter());
  const machine = opening.use(
    await startWholeMachine({
      memory: 3072,
      prepare: (tree) => layIn(tree, { cloud, printer: printer.uri }),
      devices: [
        '-machine',
        'pc,i8042=off',
        '-device',
        'virtio-vga,xres=800,yres=600',
        '-device',
        'qemu-xhci,id=usb',
        '-device',
        'usb-kbd,bus=usb.0',
        '-device',
        'usb-tablet,bus=usb.0',
      ],
    }),
  );
  const opened = opening.move();
  const events = (...list: readonly object[]) => machine.ask('input-send-event', { events: list });
  return {
    machine,
    async picture(name) {
      const filename = name ?? join(folder, 'screen.ppm');
      await machine.ask('screendump', { filename });
      return pictureOf(readFileSync(filename));
    },
    press: (...keys) =>
      machine.ask('send-key', { keys: keys.map((data) => ({ type: 'qcode', data })), 'hold-time': 100 }),
    async touch(x, y) {
      const at = (axis: string, part: number) => ({
        type: 'abs',
        data: { axis, value: Math.round(part * 0x7fff) },
      });
      const button = (down: boolean) => ({ type: 'btn', data: { down, button: 'left' } });
      await events(at('x', x), at('y', y));
      await events(button(true));
      await events(button(false));
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** PPM of three octets a dot, as QEMU writes it: `P6`, width, height, 255. */
function pictureOf(file: Buffer): Picture {
  const { 0: header = '' } = /^P6\s+\d+\s+\d+\s+255\s/.exec(file.subarray(0, 64).toString('latin1')) ?? [];
  const counts = new Map<string, number>();
  for (let at = header.length; at + 2 < file.length; at += 3) {
    const colour = `${file[at]},${file[at + 1]},${file[at + 2]}`;
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const dots = (file.length - header.length) / 3;
  return {
    colours: [...counts]
      .toSorted(([, one], [, other]) => other - one)
      .map(([colour, count]) => [colour, count / dots] as const),
  };
}
