/**
 * A whole machine with a screen, a keyboard and a panel that is touched, and the package's kiosk on it: seatd, cage and
 * Chromium in their unit. Nobody draws for it but the processor.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DebianTree } from '../peers/debian-tree.ts';
import type { WholeMachine } from './whole-machine.ts';
import { startWholeMachine } from './whole-machine.ts';

export interface Picture {
  /** Of each colour, as `r,g,b`, the part of the screen, the largest first. */
  readonly colours: readonly (readonly [colour: string, part: number])[];
  /** QEMU itself says in its middle that no output is active: a monitor would be dark. */
  readonly isOff: boolean;
}

export interface ScreenMachine extends AsyncDisposable {
  readonly machine: WholeMachine;
  picture(name?: string): Promise<Picture>;
  /** Held together, by the names that QEMU has for them. */
  press(...keys: readonly string[]): Promise<void>;
  /** At a place of the screen, each from 0 to 1. */
  touch(x: number, y: number): Promise<void>;
}

/** As consoles have them, and QEMU itself. */
export const letters = '170,170,170';
/** Where QEMU writes *Display output is not active.* on 800 by 600 dots. A console's lines begin at the left. */
const isInTheMiddle = (x: number, y: number): boolean => x >= 280 && x < 512 && y >= 288 && y < 304;

const drawnByProcessor = '[Service]\nEnvironment=WLR_RENDERER=pixman\n';

/** What a kernel and its services write to a console while they start. */
const bootUnit = `[Unit]
Before=platen-kiosk.service platen-kiosk-console.service
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'echo "[ OK ] Started a service." | tee /dev/tty1'
[Install]
WantedBy=multi-user.target
`;

async function layIn(tree: DebianTree): Promise<void> {
  await tree.run('sh', '/opt/platen/systemd/install', '--kiosk', 'entrance');
  const units = `${tree.root}/etc/systemd/system`;
  mkdirSync(`${units}/platen-kiosk.service.d`);
  writeFileSync(`${units}/platen-kiosk.service.d/pixman.conf`, drawnByProcessor);
  writeFileSync(`${units}/lab-boot.service`, bootUnit);
  await tree.run('systemctl', 'enable', 'platen-kiosk', 'lab-boot');
}

export async function startScreenMachine(): Promise<ScreenMachine> {
  await using opening = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'platen-screens-'));
  opening.defer(() => rmSync(folder, { recursive: true }));
  const machine = opening.use(
    await startWholeMachine({
      memory: 3072,
      terminals: [{ id: 'entrance' }],
      config: { kiosk: { user: 'platen-kiosk' } },
      prepare: layIn,
      devices: [
        '-device',
        'virtio-vga,xres=800,yres=600',
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
  const { 0: header = '', 1: width = '0' } =
    /^P6\s+(\d+)\s+\d+\s+255\s/.exec(file.subarray(0, 64).toString('latin1')) ?? [];
  const counts = new Map<string, number>();
  const dots = (file.length - header.length) / 3;
  let inTheMiddle = 0;
  for (let dot = 0; dot < dots; dot += 1) {
    const at = header.length + 3 * dot;
    const colour = `${file[at]},${file[at + 1]},${file[at + 2]}`;
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
    if (colour === letters && isInTheMiddle(dot % Number(width), Math.floor(dot / Number(width))))
      inTheMiddle += 1;
  }
  return {
    colours: [...counts]
      .toSorted(([, one], [, other]) => other - one)
      .map(([colour, count]) => [colour, count / dots] as const),
    isOff: inTheMiddle > 0 && counts.get(letters) === inTheMiddle && counts.size === 2,
  };
}
