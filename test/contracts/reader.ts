/**
 * What every card reader that sends text must do, whatever is at the other end of it: a real pseudo-terminal of socat,
 * the simulator's virtual reader, or a TCP connection in either direction.
 */
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Clock } from '../../src/core/clock.ts';
import { systemClock } from '../../src/core/clock.ts';
import { milliseconds } from '../../src/core/duration.ts';
import type { CardReader, CardReaderEvents, FrameVerdict } from '../../src/domain/ports/readers.ts';
import type { TextReaderOptions } from '../../src/readers/badge-intake.ts';
import type { FramingRule } from '../../src/readers/framing.ts';
import { openSerialReader } from '../../src/readers/serial.ts';
import type { RecordedLog } from '../support/recorded-log.ts';
import { recordLog } from '../support/recorded-log.ts';

export type OpenReader = (options: TextReaderOptions) => CardReader;

/** The badge's side of the wire, and what opens the other one. */
export interface ReaderStage extends AsyncDisposable {
  readonly open: OpenReader;
  write(bytes: string | Uint8Array): Promise<void>;
}

export interface RunningReader {
  /** The numbers read so far, in order. */
  readonly cards: readonly string[];
  readonly verdicts: readonly FrameVerdict[];
  readonly counts: { up: number; down: number; garbage: number };
  readonly recorded: RecordedLog;
  /** Resolves when the reader has ended after the abort. */
  stop(): Promise<void>;
}

export const serialAt =
  (path: string): OpenReader =>
  (options) =>
    openSerialReader({ ...options, path, baudRate: 9600 });

/** Runs a reader until the test ends. */
export function runReader(
  open: OpenReader,
  { clock = systemClock, framing = { kind: 'line' } }: { clock?: Clock; framing?: FramingRule } = {},
): RunningReader {
  const cards: string[] = [];
  const verdicts: FrameVerdict[] = [];
  const counts = { up: 0, down: 0, garbage: 0 };
  const recorded = recordLog();
  const events: CardReaderEvents = {
    onCard: ({ card }) => cards.push(card.reveal()),
    onUp: () => (counts.up += 1),
    onDown: () => (counts.down += 1),
    onFrame(verdict) {
      verdicts.push(verdict);
      if (verdict === 'garbage') counts.garbage += 1;
    },
  };
  const reader = open({ name: 'front', framing, clock, log: recorded.log, events });
  const abort = new AbortController();
  const running = reader.run(abort.signal);
  const stop = (): Promise<void> => {
    abort.abort();
    return running;
  };
  onTestFinished(stop);
  return { cards, verdicts, counts, recorded, stop };
}

export const until = (assertion: () => void): Promise<void> =>
  vi.waitFor(assertion, { timeout: 5000, interval: 5 });

/** Goes away and comes back, so many times, and each time a badge is read (I7). */
export async function survives(
  rounds: number,
  {
    reader,
    comeBack,
    goAway,
    write,
  }: {
    reader: RunningReader;
    comeBack(): Promise<void>;
    goAway(): Promise<void>;
    write(bytes: string): Promise<void>;
  },
): Promise<void> {
  const { cards, counts } = reader;
  for (let round = 1; round <= rounds; round += 1) {
    await comeBack();
    await until(() => expect(counts.up).toBe(round));
    await write(`${round}\r`);
    await until(() => expect(cards.at(-1)).toBe(String(round)));
    const downs = counts.down;
    await goAway();
    await until(() => expect(counts.down).toBe(downs + 1));
  }
  expect(counts.garbage).toBe(0);
}

/** Defines the tests; stands within a `describe`. */
export function readerContract(setStage: () => Promise<ReaderStage>): void {
  const openReader = async (): Promise<RunningReader & { stage: ReaderStage }> => {
    const stage = await setStage();
    onTestFinished(() => stage[Symbol.asyncDispose]());
    const reader = runReader(stage.open);
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

  it('takes nothing of a flood, and the badge after it (I8)', async () => {
    const { stage, cards, verdicts } = await openReader();
    await stage.write(Array.from({ length: 300 }, (_, i) => `${1000 + i}\r`).join(''));
    await until(() => expect(verdicts).toHaveLength(300));
    expect(verdicts.slice(100)).toEqual(Array.from({ length: 200 }, () => 'flood'));
    expect(cards).toEqual(['1000']);
  });

  it('makes no number of what comes too slowly (I8)', async () => {
    const { stage, cards, counts } = await openReader();
    await stage.write('99');
    await systemClock.sleep(milliseconds(150));
    await stage.write('4711\r');
    await until(() => expect(counts.garbage).toBe(1));
    await stage.write('0815\r');
    await until(() => expect(cards).toEqual(['0815']));
  });

  it('lets the port go when it is stopped, so that another one can open it', async () => {
    const first = await openReader();
    await first.stop();
    const second = runReader(first.stage.open);
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
