/**
 * Runs within the virtual machine of `hid-machine.ts`, where the kernel has a real USB keyboard: our reader, somebody who
 * listens at the same node, and somebody who wants it too. It tells what it sees in lines of JSON.
 */
import { spawn } from 'node:child_process';
import { systemClock } from '../../../src/core/clock.ts';
import type { Log } from '../../../src/core/log.ts';
import { openNode } from '../../../src/readers/device-node.ts';
import { openHidReader } from '../../../src/readers/hid/hid.ts';
import { hidNodes } from '../../../src/readers/hid/hid-nodes.ts';
import { createGrab } from '../../../src/readers/hid/ioctl.ts';

/** The keyboard of QEMU. */
const device = { vendor: '0627', product: '0001' };

const tell = (what: string, more: object = {}): boolean =>
  process.stdout.write(`${JSON.stringify({ what, ...more })}\n`);

async function nodeOfKeyboard(): Promise<string> {
  for (;;) {
    const [path] = await hidNodes({ device, kind: 'keyboard' });
    if (path !== undefined) return path;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

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

async function tellUp(): Promise<void> {
  // What came before the grab has been heard by now, and counts no more.
  await new Promise((resolve) => setTimeout(resolve, 200));
  overheard = 0;
  tell('up', { second: await grabToo(await nodeOfKeyboard()) });
}

const path = await nodeOfKeyboard();
const listener = spawn('cat', [path], { stdio: ['ignore', 'pipe', 'inherit'] });
let overheard = 0;
const heard = new Promise<void>((resolve) => {
  listener.stdout.on('data', (bytes: Buffer) => {
    overheard += bytes.length;
    resolve();
  });
});
listener.once('spawn', () => tell('listening'));
await heard;
tell('overheard', { bytes: overheard });

const quiet = (): void => {};
const log: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet, with: () => log };

let cards = 0;
const reader = openHidReader({
  ...{ name: 'front', at: device, framing: { kind: 'line' }, clock: systemClock, grab: createGrab() },
  log,
  events: {
    onUp: () => void tellUp(),
    onDown: ({ message }) => tell('down', { message }),
    onFrame: (verdict) => tell('frame', { verdict }),
    onCard({ card }) {
      cards += 1;
      tell('card', { number: card.reveal(), overheard });
      if (cards < 2) return;
      listener.kill();
      // In the middle of a read, which must not keep the process.
      process.exit(0);
    },
  },
});
await reader.run(new AbortController().signal);
