/** The reader's contract on a pcscd of the tests'. */
import { describe, expect } from 'vitest';
import { pcscd, smartCardReaderAt, uid } from './pcsc-stage.ts';
import type { ReaderStage, ReaderTime } from './reader.ts';
import { leapingTime, readerContract } from './reader.ts';

/** Of the client's protocol: the card is asked something. */
const transmit = 0x09;

async function setStage(time: ReaderTime): Promise<ReaderStage> {
  const daemon = pcscd();
  await daemon.start();
  const asked = () => daemon.requests.filter((command) => command === transmit).length;
  return {
    open: smartCardReaderAt(daemon.path),
    async badge(...numbers) {
      for (const number of numbers) {
        const before = asked();
        daemon.lay(uid(number));
        await time.later(() => expect(asked()).toBeGreaterThan(before));
        daemon.take();
      }
    },
    [Symbol.asyncDispose]: daemon.kill,
  };
}

describe('a smart-card reader', () => {
  readerContract(setStage, leapingTime);
});
