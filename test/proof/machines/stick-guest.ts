/**
 * Runs within the virtual machine of `stick-machine.ts`, where the kernel has a real USB disk: what is in, what is on it,
 * and what becomes of it when it is pulled out and put back. It tells what it sees in lines of JSON.
 */
import { chmodSync } from 'node:fs';
import { systemChance } from '../../../src/core/chance.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { seconds } from '../../../src/core/duration.ts';
import type { Stick, StickFile } from '../../../src/domain/ports/sticks.ts';
import { StickFailure } from '../../../src/domain/ports/sticks.ts';
import { createSticks } from '../../../src/printing/stick/sticks.ts';
import { usbDisks } from '../../../src/printing/stick/usb-disks.ts';

const tell = (what: string, more: object = {}): boolean =>
  process.stdout.write(`${JSON.stringify({ what, ...more })}\n`);
const call = { signal: systemClock.deadline(seconds(150)) };
const sticks = createSticks({ device: 'auto', largest: 2 ** 27, clock: systemClock, chance: systemChance });

async function untilThereAre(count: number): Promise<string> {
  for (;;) {
    const disks = await usbDisks({ device: 'auto' });
    if (disks.length === count) return disks[0]?.path ?? '';
    await systemClock.sleep(seconds(0.05));
  }
}

async function octetsOf(stick: Stick, file: StickFile): Promise<object> {
  try {
    let octets = 0;
    for await (const chunk of await sticks.read(stick, file, call)) octets += chunk.length;
    return { octets };
  } catch (error) {
    return { why: error instanceof StickFailure ? error.why : String(error) };
  }
}

async function look(): Promise<void> {
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

await look();
