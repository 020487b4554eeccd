/** What every reader with a light or a beeper must do besides the contract of all readers. */
import { expect, it, onTestFinished } from 'vitest';
import { runReader, until } from './reader.ts';
import type { TextStage } from './text-reader.ts';

export interface SignallingStage extends TextStage {
  /** What was written to the reader; each byte as one character. */
  received(): string;
}

/** As a command may look: control characters, and bytes that are no text. */
const signals = { accepted: '\x02L2\xff\x00\r', refused: 'rfid:out.led=1\r\n' };

/** Defines the tests; stands within a `describe`. */
export function signallingReaderContract(setStage: () => Promise<SignallingStage>): void {
  async function openReader() {
    const stage = await setStage();
    onTestFinished(() => stage[Symbol.asyncDispose]());
    const reader = runReader(stage.open, { signals });
    return { ...reader, stage, isUp: () => until(() => expect(reader.counts.up).toBe(1)) };
  }

  it('is told the command of a signal byte for byte, and nothing of a signal without one', async () => {
    const { stage, signal, isUp } = await openReader();
    await isUp();
    for (const what of ['accepted', 'done', 'refused'] as const) signal(what);
    await until(() => expect(stage.received()).toBe(signals.accepted + signals.refused));
  });

  it('is told nothing later of a signal that came while it was away', async () => {
    const { stage, signal, isUp } = await openReader();
    signal('accepted');
    await isUp();
    signal('refused');
    await until(() => expect(stage.received()).toBe(signals.refused));
  });
}
