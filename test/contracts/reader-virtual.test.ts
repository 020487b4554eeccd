/** The reader's contract on the simulator's virtual reader. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { startVirtualReader } from '../../src/simulator/reader.ts';
import type { ReaderStage } from './reader.ts';
import { readerContract, runReader, serialAt, until } from './reader.ts';

async function setStage(): Promise<ReaderStage> {
  const virtual = await startVirtualReader();
  return {
    open: serialAt(virtual.path),
    write: async (bytes) => virtual.write(bytes),
    [Symbol.asyncDispose]: () => virtual[Symbol.asyncDispose](),
  };
}

describe('a serial reader on the virtual reader', () => {
  readerContract(setStage);

  it('reads the card that is held to it', async () => {
    const virtual = await startVirtualReader();
    onTestFinished(() => virtual[Symbol.asyncDispose]());
    const { cards, counts } = runReader(serialAt(virtual.path));
    await until(() => expect(counts.up).toBe(1));
    virtual.tap('04a1b2');
    await until(() => expect(cards).toEqual(['04A1B2']));
  });
});
