/**
 * The smart-card reader on a real pcscd with a virtual card, which is taken away, killed, stopped and replaced under
 * it.
 */
import { expect, it, onTestFinished } from 'vitest';
import type { Clock } from '../../src/core/clock.ts';
import { systemClock } from '../../src/core/clock.ts';
import { milliseconds, shortest } from '../../src/core/duration.ts';
import type { ReaderStage, ReaderTime } from '../contracts/reader.ts';
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

/**
 * The virtual reader takes most of a second to show another card; no time passes for it in which a badge could have been
 * put away. Its timers run, for it looks again and again.
 */
const patientTime = (): ReaderTime => ({
  clock: { ...systemClock, monotonic: () => 0 },
  until,
  later: until,
  pass: systemClock.sleep,
  heard: async () => {},
});

/** It tries again sooner, for the sake of the test's time; what has a deadline keeps it. */
const hastyClock: Clock = {
  ...systemClock,
  sleep: (span, options) => systemClock.sleep(shortest(span, milliseconds(20)), options),
};

async function setStage(): Promise<ReaderStage> {
  const pcscd = await createPcscd();
  await pcscd.start();
  return {
    open: smartCardReaderAt(pcscd.socket),
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
  readerContract(setStage, patientTime);

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

  it('comes back when pcscd is killed and started again (I7)', async () => {
    const pcscd = await running();
    const { counts } = runReader(smartCardReaderAt(pcscd.socket));
    await until(() => expect(counts.up).toBe(1));
    await pcscd.kill();
    await until(() => expect(counts.down).toBe(1));
    await pcscd.start();
    await until(() => expect(counts.up).toBe(2));
  });

  it('keeps nobody waiting while one pcscd is stopped, and another one killed 20 times (I7, I8)', async () => {
    const stopped = await running();
    const waiting = runReader(smartCardReaderAt(stopped.socket));
    const killed = await running();
    const returning = runReader(smartCardReaderAt(killed.socket), { clock: hastyClock });
    await until(() => expect(waiting.counts.up).toBe(1));
    stopped.signal('SIGSTOP');
    // Who waited for the one that is stopped would never come to the end of this.
    for (let round = 1; round <= 20; round += 1) {
      await until(() => expect(returning.counts.up).toBe(round));
      await killed.kill();
      await until(() => expect(returning.counts.down).toBe(round));
      await killed.start();
    }
    await until(() => expect(waiting.counts.down).toBe(1));
    stopped.signal('SIGCONT');
    await using _one = await stopped.lay({ uid: alice });
    await using _other = await killed.lay({ uid: alice });
    await until(() => expect([waiting.cards, returning.cards]).toEqual([[alice], [alice]]));
  });
});
