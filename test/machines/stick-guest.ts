/**
 * Runs within the machine of `bus-machine.ts`, whose stick is pulled and plugged: reads its one file whenever a stick is in, in
 * the package's own room, and tells how much it had of it, or why nothing. A file with other content than its name says
 * would be `unfit`.
 */
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { systemChance } from '../../src/core/chance.ts';
import { systemClock } from '../../src/core/clock.ts';
import { StickFailure } from '../../src/domain/ports/sticks.ts';
import { createSticks } from '../../src/printing/stick/sticks.ts';

const call = { signal: new AbortController().signal };
const sticks = createSticks({ device: 'auto', largest: 2 ** 27, clock: systemClock, chance: systemChance });

const tell = (msg: string, more: object): boolean =>
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), msg, ...more })}\n`);

async function read(): Promise<object> {
  const [stick] = await sticks.present();
  if (!stick) return { why: 'pulled-out' };
  const { files } = await sticks.files(stick, call);
  const sum = createHash('sha256');
  for (const file of files) for await (const chunk of await sticks.read(stick, file, call)) sum.update(chunk);
  return { files: files.length, sha256: sum.digest('hex') };
}

for (;;) {
  if ((await sticks.present()).length > 0) {
    tell('stick begun', {});
    tell(
      'stick seen',
      await read().catch((error: unknown) => ({
        why: error instanceof StickFailure ? error.why : String(error),
      })),
    );
  }
  await pause(100);
}
