/** The reader's contract on the simulator's virtual reader. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { startVirtualReader } from '../../src/simulator/reader/reader.ts';
import { runReader, until } from './reader.ts';
import type { SignallingStage } from './signalling-reader.ts';
import { signallingReaderContract } from './signalling-reader.ts';
import { serialAt, textReaderContract } from './text-reader.ts';

async function setStage(): Promise<SignallingStage> {
  const virtual = await startVirtualReader();
  return {
    open: serialAt(virtual.path),
    write: async (bytes) => virtual.write(bytes),
    received: virtual.received,
    [Symbol.asyncDispose]: () => virtual[Symbol.asyncDispose](),
  };
}

describe('a serial reader on the virtual reader', () => {
  textReaderContract(setStage);
  signallingReaderContract(setStage);

  it('reads the card that is held to it', async () => {
    const virtual = await startVirtualReader();
    onTestFinished(() => virtual[Symbol.asyncDispose]());
    const { cards, counts } = runReader(serialAt(virtual.path));
    await until(() => expect(counts.up).toBe(1));
    virtual.tap('04a1b2');
    await until(() => expect(cards).toEqual(['04A1B2']));
  });
});
