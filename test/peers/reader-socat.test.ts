/** The serial reader on a real pseudo-terminal, which is pulled and put back under it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { runReader, standingTime, survives, until } from '../contracts/reader.ts';
import type { TextStage } from '../contracts/text-reader.ts';
import { asLines, serialAt, textReaderContract } from '../contracts/text-reader.ts';
import { needsPeer } from '../support/needs.ts';
import type { SocatPair } from './socat.ts';
import { createSocatPair } from './socat.ts';

async function unplugged(): Promise<SocatPair> {
  const pair = await createSocatPair();
  onTestFinished(() => pair[Symbol.asyncDispose]());
  return pair;
}

async function pluggedIn(): Promise<TextStage> {
  const pair = await createSocatPair();
  await pair.plugIn();
  return { ...pair, open: serialAt(pair.path) };
}

needsPeer('socat', 'socat')('a serial reader on a pty of socat', () => {
  textReaderContract(pluggedIn);

  it('waits for a device that is absent at the start', async () => {
    const pair = await unplugged();
    const time = standingTime();
    const { counts, cards, recorded } = runReader(serialAt(pair.path), { clock: time.clock });
    await until(() => expect(counts.down).toBe(1));
    await pair.plugIn();
    await time.later(() => expect(counts.up).toBe(1));
    await pair.write('4711\r');
    await until(() => expect(cards).toEqual(['4711']));
    expect(recorded.records('reader down')).toMatchObject([{ reader: 'front', level: 'warn' }]);
    expect(recorded.records('reader up')).toMatchObject([{ reader: 'front', level: 'info' }]);
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'comes back by itself after a %s to the other end (I7)',
    async (signal) => {
      const pair = await unplugged();
      await pair.plugIn();
      const time = standingTime();
      const { counts, cards } = runReader(serialAt(pair.path), { clock: time.clock });
      for (const round of [1, 2]) {
        await time.later(() => expect(counts.up).toBe(round));
        await pair.unplug(signal);
        await time.later(() => expect(counts.down).toBe(round));
        await pair.plugIn();
      }
      await time.later(() => expect(counts.up).toBe(3));
      await pair.write('4711\r');
      await until(() => expect(cards).toEqual(['4711']));
    },
  );

  it('comes back 200 times (B.4, 1 Badge read; I7)', async () => {
    const pair = await unplugged();
    const time = standingTime();
    const reader = runReader(serialAt(pair.path), { clock: time.clock });
    await survives(200, {
      reader,
      time,
      comeBack: pair.plugIn,
      badge: asLines(pair),
      goAway: () => pair.unplug('SIGTERM'),
    });
  });

  it('takes no half of a number from before the plug was pulled', async () => {
    const pair = await unplugged();
    await pair.plugIn();
    const time = standingTime();
    const { counts, cards } = runReader(serialAt(pair.path), { clock: time.clock });
    await until(() => expect(counts.up).toBe(1));
    const heard = time.heard();
    await pair.write('9999');
    await heard;
    await pair.unplug('SIGTERM');
    await time.later(() => expect(counts.down).toBe(1));
    await pair.plugIn();
    await time.later(() => expect(counts.up).toBe(2));
    await pair.write('4711\r');
    await until(() => expect(cards).toEqual(['4711']));
  });

  it('notices every time that the plug is pulled while bytes arrive, and does not spin on its end (I8)', async () => {
    for (let round = 0; round < 8; round += 1) {
      await using pair = await createSocatPair();
      await pair.plugIn();
      const time = standingTime();
      const reader = runReader(serialAt(pair.path), { clock: time.clock });
      await until(() => expect(reader.counts.up).toBe(1));
      await pair.write('4711\r'.repeat(200));
      await pair.unplug('SIGKILL');
      await time.later(() => expect(reader.counts.down).toBe(1));
      await reader.stop();
    }
  });

  it('does not keep the process alive once it is stopped', async () => {
    const pair = await unplugged();
    await pair.plugIn();
    const serial = new URL('../../src/readers/serial/serial.ts', import.meta.url);
    const clock = new URL('../../src/core/clock.ts', import.meta.url);
    const script = `
      import { openSerialReader } from '${serial.href}';
      import { systemClock } from '${clock.href}';
      const stop = new AbortController();
      const quiet = () => {};
      const log = { debug: quiet, info: quiet, warn: quiet, error: quiet, with: () => log };
      const events = { onCard: quiet, onDown: quiet, onFrame: quiet, onUp: () => stop.abort() };
      const port = { at: '${pair.path}', baudRate: 9600, framing: { kind: 'line' } };
      const options = { ...port, name: 'front', clock: systemClock, log, events };
      await openSerialReader(options).run(stop.signal);
      console.log('stopped');`;
    const args = ['--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout).toBe('stopped\n');
  });
});
