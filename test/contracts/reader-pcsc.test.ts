/** The reader's contract on a pcscd of the tests'. */
import { describe } from 'vitest';
import { pcscd, smartCardReaderAt, uid } from './pcsc-stage.ts';
import type { ReaderStage } from './reader.ts';
import { readerContract } from './reader.ts';

async function setStage(): Promise<ReaderStage> {
  const daemon = pcscd();
  await daemon.start();
  let read = 0;
  return {
    open: smartCardReaderAt(daemon.path),
    async badge(...numbers) {
      for (const number of numbers) {
        daemon.lay(uid(number));
        await daemon.asked((read += 1));
        daemon.take();
      }
    },
    [Symbol.asyncDispose]: daemon.kill,
  };
}

describe('a smart-card reader', () => {
  readerContract(setStage);
});
