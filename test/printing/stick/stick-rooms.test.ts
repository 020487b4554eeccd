/** A room that a stick took over, or in which it does not answer: what the agent believes, waits for, and keeps of it. */
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import { seconds } from '../../../src/core/duration.ts';
import { createSticks } from '../../../src/printing/stick/sticks.ts';
import { stickFolder } from '../../support/stick/stick-images.ts';
import { createSteeredClock } from '../../support/steered-clock.ts';

/** A stick, and a room that answers as it likes. */
async function stickIn(answer: (call: Socket) => void) {
  const folder = stickFolder();
  const [socket, device] = [join(folder, 'socket'), join(folder, 'sda')];
  writeFileSync(device, '');
  const asked = Promise.withResolvers<void>();
  const server = createServer((call) => {
    call.on('error', () => undefined);
    const lines = createInterface(call).once('line', () => {
      answer(call);
      asked.resolve();
    });
    // Hung up on, in the middle.
    lines.on('error', () => undefined);
  }).listen(socket);
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const clock = createSteeredClock();
  const sticks = createSticks({ device, socket, clock, chance: systemChance, largest: 1000 });
  const [stick] = await sticks.present();
  if (!stick) throw new Error('there is no stick');
  const left = new AbortController();
  return { clock, left, asked: asked.promise, files: sticks.files(stick, { signal: left.signal }) };
}

it('a stick that does not answer within twenty seconds is unreadable, which is no fault of the service', async () => {
  const { clock, asked, files } = await stickIn(() => undefined);
  const late = asked.then(() => clock.advance(seconds(20)));
  await expect(files).rejects.toMatchObject({ name: 'StickFailure', why: 'unreadable' });
  await late;
});

it('whoever left in the meantime is told nothing of that', async () => {
  const { left, asked, files } = await stickIn(() => undefined);
  const gone = asked.then(() => left.abort('left'));
  await expect(files).rejects.toBe('left');
  await gone;
});

it('a list without an end is not gathered', async () => {
  let sent = 0;
  const { files } = await stickIn((call) => {
    call.write('ready\n');
    const line = Buffer.alloc(1024 ** 2, 'x');
    const more = () => {
      sent += line.length;
      if (sent < 200 * line.length) call.write(line, more);
      else call.end();
    };
    more();
  });
  await expect(files).rejects.toMatchObject({
    why: 'unreadable',
    message: expect.stringMatching(/more than/) as string,
  });
  expect(sent).toBeLessThan(64 * 1024 ** 2);
});
