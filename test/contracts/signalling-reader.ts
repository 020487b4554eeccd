/** What every reader with a light or a beeper must do besides the contract of all readers. */
import { expect, it, onTestFinished } from 'vitest';
import type { ReaderTime } from './reader.ts';
import { runReader, standingTime } from './reader.ts';
import type { TextStage } from './text-reader.ts';

export interface SignallingStage extends TextStage {
  /** What was written to the reader; each byte as one character. */
  received(): string;
}

/** As a command may look: control characters, and bytes that are no text. */
const signals = { accepted: '\x02L2\xff\x00\r', refused: 'rfid:out.led=1\r\n' };

/** Defines the tests; stands within a `describe`. */
export function signallingReaderContract(
  setStage: (time: ReaderTime) => Promise<SignallingStage>,
  newTime: () => ReaderTime = standingTime,
): void {
  async function openReader() {
    const time = newTime();
    const stage = await setStage(time);
    onTestFinished(() => stage[Symbol.asyncDispose]());
    const reader = runReader(stage.open, { signals, clock: time.clock });
    return { ...reader, stage, time, isUp: () => time.later(() => expect(reader.counts.up).toBe(1)) };
  }

  it('is told the command of a signal byte for byte, and nothing of a signal without one', async () => {
    const { stage, time, signal, isUp } = await openReader();
    await isUp();
    for (const what of ['accepted', 'done', 'refused'] as const) signal(what);
    await time.until(() => expect(stage.received()).toBe(signals.accepted + signals.refused));
  });

  it('is told nothing later of a signal that came while it was away', async () => {
    const { stage, time, signal, isUp } = await openReader();
    signal('accepted');
    await isUp();
    signal('refused');
    await time.until(() => expect(stage.received()).toBe(signals.refused));
  });
}
