/**
 * What every card reader on a serial port must do, whatever is at the other end of it: a real pseudo-terminal of socat
 * or the simulator's virtual reader.
 */
import { expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import type { CardReaderEvents } from '../../src/domain/ports/readers.ts';
import { openSerialReader } from '../../src/readers/serial.ts';
import type { RecordedLog } from '../support/recorded-log.ts';
import { recordLog } from '../support/recorded-log.ts';

/** The badge's side of the wire. */
export interface ReaderStage extends AsyncDisposable {
  readonly path: string;
  write(bytes: string | Uint8Array): Promise<void>;
}

export interface RunningReader {
  /** The numbers read so far, in order. */
  readonly cards: readonly string[];
  readonly counts: { up: number; down: number; garbage: number };
  readonly recorded: RecordedLog;
  /** Resolves when the reader has ended after the abort. */
  stop(): Promise<void>;
}

/** Runs a reader on the path until the test ends. */
export function runReader(path: string): RunningReader {
  const cards: string[] = [];
  const counts = { up: 0, down: 0, garbage: 0 };
  const recorded = recordLog();
  const events: CardReaderEvents = {
    onCard: ({ card }) => cards.push(card.reveal()),
    onUp: () => (counts.up += 1),
    onDown: () => (counts.down += 1),
    onGarbage: () => (counts.garbage += 1),
  };
  const reader = openSerialReader({
    path,
    baudRate: 9600,
    name: 'front',
    clock: systemClock,
    log: recorded.log,
    events,
  });
  const abort = new AbortController();
  const running = reader.run(abort.signal);
  const stop = (): Promise<void> => {
    abort.abort();
    return running;
  };
  onTestFinished(stop);
  return { cards, counts, recorded, stop };
}

export const until = (assertion: () => void): Promise<void> => vi.waitFor(assertion, 5000);

/** Defines the tests; stands within a `describe`. */
export function readerContract(setStage: () => Promise<ReaderStage>): void {
  const openReader = async (): Promise<RunningReader & { stage: ReaderStage }> => {
    const stage = await setStage();
    onTestFinished(() => stage[Symbol.asyncDispose]());
    const reader = runReader(stage.path);
    await until(() => expect(reader.counts.up).toBe(1));
    return { ...reader, stage };
  };

  it.each([
    ['CR', '04a1b2\r'],
    ['LF', '04a1b2\n'],
    ['CR LF', '04a1b2\r\n'],
    ['STX and ETX', '\x0204a1b2\x03'],
  ])('reads a badge between %s, normalised', async (_, bytes) => {
    const { stage, cards } = await openReader();
    await stage.write(bytes);
    await until(() => expect(cards).toEqual(['04A1B2']));
  });

  it('reads a badge that comes in pieces', async () => {
    const { stage, cards } = await openReader();
    for (const part of ['04A', '1B', '2', '\r']) await stage.write(part);
    await until(() => expect(cards).toEqual(['04A1B2']));
  });

  it('makes one event of a badge that lies on the reader, and lets the first of two badges win', async () => {
    const { stage, cards, recorded } = await openReader();
    await stage.write('1111\r\n1111\r\n2222\r\n1111\r\n');
    await until(() => expect(recorded.records('second card ignored')).toHaveLength(1));
    expect(cards).toEqual(['1111']);
  });

  it('counts garbage and reads the badge after it', async () => {
    const { stage, cards, counts } = await openReader();
    await stage.write(Buffer.from('\x00\xff\x1b[2J\r=\r4711\r', 'latin1'));
    await until(() => expect(cards).toEqual(['4711']));
    expect(counts.garbage).toBe(2);
  });

  it('drops 100 KB without an end as one frame, and reads the badge after it (I8)', async () => {
    const { stage, cards, counts } = await openReader();
    await stage.write('A'.repeat(100 * 1024));
    await stage.write('\r4711\r');
    await until(() => expect(cards).toEqual(['4711']));
    expect(counts.garbage).toBe(1);
  });

  it('lets the port go when it is stopped, so that another one can open it', async () => {
    const first = await openReader();
    await first.stop();
    const second = runReader(first.stage.path);
    await until(() => expect(second.counts.up).toBe(1));
    await first.stage.write('4711\r');
    await until(() => expect(second.cards).toEqual(['4711']));
    expect(first.cards).toEqual([]);
  });

  it('writes no card number into its log (I5)', async () => {
    const { stage, cards, recorded } = await openReader();
    await stage.write('1111\r2222\r');
    await until(() => expect(recorded.records('second card ignored')).toHaveLength(1));
    expect(cards).toHaveLength(1);
    expect(recorded.text()).not.toMatch(/1111|2222/);
  });
}
