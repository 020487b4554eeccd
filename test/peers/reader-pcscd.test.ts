/**
 * The smart-card reader on a real pcscd with a virtual card, which is taken away, killed, stopped and replaced under
 * it.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, it, onTestFinished } from 'vitest';
import type { Clock } from '../../src/core/clock.ts';
import { systemClock } from '../../src/core/clock.ts';
import { seconds } from '../../src/core/duration.ts';
import { briskClock } from '../support/brisk-clock.ts';
import type { ReaderStage } from '../contracts/reader.ts';
import { readerContract, runReader, until } from '../contracts/reader.ts';
import { smartCardReaderAt } from '../contracts/pcsc-stage.ts';
import type { Pcscd } from './pcscd.ts';
import { createPcscd, needsPcscd } from './pcscd.ts';

const alice = '04A1B2C3';

async function running(): Promise<Pcscd> {
  const pcscd = await createPcscd();
  onTestFinished(() => pcscd[Symbol.asyncDispose]());
  await pcscd.start();
  return pcscd;
}

/** The virtual reader takes most of a second to show another card; for the reader it is a tenth of that. */
const patientClock: Clock = { ...systemClock, monotonic: () => systemClock.monotonic() / 10 };

/** It tries again sooner, for the sake of the test's time; what has a deadline keeps it. */
const hastyClock: Clock = { ...systemClock, sleep: briskClock(20).sleep };

async function setStage(): Promise<ReaderStage> {
  const pcscd = await createPcscd();
  await pcscd.start();
  const open = smartCardReaderAt(pcscd.socket);
  return {
    open: (options) => open({ ...options, clock: patientClock }),
    async badge(...numbers) {
      for (const uid of numbers) {
        await using card = await pcscd.lay({ uid });
        await until(() => expect(card.asked).toBe(1));
      }
    },
    [Symbol.asyncDispose]: () => pcscd[Symbol.asyncDispose](),
  };
}

needsPcscd('a smart-card reader on a real pcscd', () => {
  readerContract(setStage);

  it('reads a card, tells its removal, and takes one without a UID for none', async () => {
    const pcscd = await running();
    const open = smartCardReaderAt(pcscd.socket, 'Virtual*');
    const { cards, counts } = runReader(open);
    const first = await pcscd.lay({ uid: alice });
    await until(() => expect(cards).toEqual([alice]));
    await first[Symbol.asyncDispose]();
    await until(() => expect(open.removed).toEqual([alice]));
    await using _contacts = await pcscd.lay({});
    await until(() => expect(counts.garbage).toBe(1));
    expect(cards).toEqual([alice]);
    expect(counts).toEqual({ up: 1, down: 0, garbage: 1 });
  });

  it('comes back within 3 s when pcscd is killed and started again (I7)', async () => {
    const pcscd = await running();
    const { counts } = runReader(smartCardReaderAt(pcscd.socket));
    await until(() => expect(counts.up).toBe(1));
    await pcscd.kill();
    await until(() => expect(counts.down).toBe(1));
    await pcscd.start();
    const before = systemClock.monotonic();
    await until(() => expect(counts.up).toBe(2));
    expect(systemClock.monotonic() - before).toBeLessThan(3000);
  });

  it('keeps nobody waiting while one pcscd is stopped for 5 s, and another one killed 20 times (I7, I8)', async () => {
    const stopped = await running();
    const waiting = runReader(smartCardReaderAt(stopped.socket));
    const killed = await running();
    const returning = runReader(smartCardReaderAt(killed.socket), { clock: hastyClock });
    await until(() => expect(waiting.counts.up).toBe(1));
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    stopped.signal('SIGSTOP');
    const pause = systemClock.sleep(seconds(5));
    for (let round = 1; round <= 20; round += 1) {
      await until(() => expect(returning.counts.up).toBe(round));
      await killed.kill();
      await until(() => expect(returning.counts.down).toBe(round));
      await killed.start();
    }
    await pause;
    stopped.signal('SIGCONT');
    delay.disable();
    // The machine has other things to do at times; who waited for pcscd would have waited for all of the pause.
    expect(delay.max / 1e6).toBeLessThan(1000);
    await using _one = await stopped.lay({ uid: alice });
    await using _other = await killed.lay({ uid: alice });
    await until(() => expect([waiting.cards, returning.cards]).toEqual([[alice], [alice]]));
  });
});
