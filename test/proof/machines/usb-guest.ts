/**
 * Runs within the virtual machine of `debian-machine.ts`, where the kernel has a real USB keyboard, and a real USB disk
 * now and then. At the keyboard: our reader, somebody who listens at the same node, and somebody who wants it too. Of the
 * disk: whether it is in, what is on it, and what becomes of it when it is pulled out and put back. It tells what it sees
 * in lines of JSON.
 */
import { spawn } from 'node:child_process';
import { chmodSync, closeSync, openSync } from 'node:fs';
import { systemChance } from '../../../src/core/chance.ts';
import { systemClock } from '../../../src/core/clock.ts';
import type { Stick, StickFile } from '../../../src/domain/ports/sticks.ts';
import { StickFailure } from '../../../src/domain/ports/sticks.ts';
import { createSticks } from '../../../src/printing/stick/sticks.ts';
import { usbDisks } from '../../../src/printing/stick/sticks.ts';
import { openNode } from '../../../src/readers/device-node.ts';
import { openHidReader } from '../../../src/readers/hid/hid.ts';
import { hidNodes } from '../../../src/readers/usb-device.ts';
import { createGrab } from '../../../src/readers/hid/ioctl.ts';
import { eventually } from '../../support/patience.ts';
import { recordLog } from '../../support/recorded-log.ts';

/** The keyboard of QEMU. */
const device = { vendor: '0627', product: '0001' };

const tell = (what: string, more: object = {}): boolean =>
  process.stdout.write(`${JSON.stringify({ what, ...more })}\n`);

const nodeOfKeyboard = (): Promise<string> =>
  eventually(async () => {
    const [path] = await hidNodes({ device, kind: 'keyboard' });
    if (path === undefined) throw new Error('there is no keyboard');
    return path;
  });

async function grabToo(path: string): Promise<string> {
  const node = await openNode(path);
  try {
    await createGrab()(node.fd);
    return 'granted';
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  } finally {
    await node.close();
  }
}

/** linux/input.h: `struct input_event` of 64 bits; the release of Enter is the last of what is typed. */
const eventSize = 24;
const isEnterUp = (event: Buffer): boolean =>
  event.readUInt16LE(16) === 1 && event.readUInt16LE(18) === 28 && event.readInt32LE(20) === 0;

/** Somebody who has the node open as we have, before anything is typed. */
async function listenAt(path: string) {
  const fd = openSync(path, 'r');
  const listener = spawn('cat', { stdio: [fd, 'pipe', 'inherit'] });
  closeSync(fd);
  let heard = Buffer.alloc(0);
  const { promise: line, resolve } = Promise.withResolvers<void>();
  listener.stdout?.on('data', (bytes: Buffer) => {
    heard = Buffer.concat([heard, bytes]);
    for (let at = 0; at + eventSize <= heard.length; at += eventSize) {
      if (isEnterUp(heard.subarray(at, at + eventSize))) resolve();
    }
  });
  tell('listening');
  await line;
  return { heard: () => heard.length, end: () => listener.kill() };
}

/** Resolves with its second card: it reads on then. */
async function readKeyboard(): Promise<void> {
  const listener = await listenAt(await nodeOfKeyboard());
  const before = listener.heard();
  tell('overheard', { bytes: before });
  const { promise, resolve } = Promise.withResolvers<void>();
  let cards = 0;
  const reader = openHidReader({
    name: 'front',
    at: device,
    framing: { kind: 'line' },
    clock: systemClock,
    grab: createGrab(),
    log: recordLog().log,
    events: {
      onUp: () => void nodeOfKeyboard().then(async (path) => tell('up', { second: await grabToo(path) })),
      onDown: ({ message }) => tell('down', { message }),
      onFrame: (verdict) => tell('frame', { verdict }),
      onCard({ card }) {
        cards += 1;
        tell('card', { number: card.reveal(), overheard: listener.heard() - before });
        if (cards === 2) resolve();
      },
    },
  });
  void reader.run(new AbortController().signal);
  await promise;
  listener.end();
}

const call = { signal: new AbortController().signal };
const sticks = createSticks({ device: 'auto', largest: 2 ** 27, clock: systemClock, chance: systemChance });

const untilThereAre = (count: number): Promise<string> =>
  eventually(async () => {
    const disks = await usbDisks({ device: 'auto' });
    if (disks.length !== count) throw new Error(`there are ${disks.length} disks`);
    return disks[0]?.path ?? '';
  });

async function octetsOf(stick: Stick, file: StickFile): Promise<object> {
  try {
    let octets = 0;
    for await (const chunk of await sticks.read(stick, file, call)) octets += chunk.length;
    return { octets };
  } catch (error) {
    return { why: error instanceof StickFailure ? error.why : String(error) };
  }
}

async function lookAtStick(): Promise<void> {
  tell('waiting', { disks: (await sticks.present()).length });
  const path = await untilThereAre(1);
  // As 71-platen-stick.rules lets its group; there is no udev here, and the room's user is nobody's.
  chmodSync(path, 0o604);
  const [stick] = await sticks.present();
  const { files } = stick ? await sticks.files(stick, call) : { files: [] };
  tell('listed', { names: files.map(({ name }) => name) });
  const [file] = files;
  if (!stick || !file) return;
  tell('read', await octetsOf(stick, file));
  await untilThereAre(0);
  tell('pulled', await octetsOf(stick, file));
  await untilThereAre(1);
  // The same disk, and another visit.
  tell('back', await octetsOf(stick, file));
}

await Promise.all([lookAtStick(), readKeyboard()]);
// In the middle of a read of the keyboard, which must not keep the process.
process.exit(0);
