/**
 * What every card reader that sends text must do besides the contract of all readers, whatever is at the other end of
 * it: a real pseudo-terminal of socat, the simulator's virtual reader, or a TCP connection in either direction.
 */
import { expect, it } from 'vitest';
import { milliseconds } from '../../src/core/duration.ts';
import { openSerialReader } from '../../src/readers/serial/serial.ts';
import type { OpenReader, ReaderStage, ReaderTime } from './reader.ts';
import { floodContract, openReaderOn, readerContract } from './reader.ts';

export interface TextStage extends Omit<ReaderStage, 'badge'> {
  write(bytes: string | Uint8Array): Promise<void>;
}

export const serialAt =
  (path: string): OpenReader =>
  (options) =>
    openSerialReader({ ...options, at: path, baudRate: 9600 });

/** A badge, read by a reader that ends its lines. */
export const asLines =
  (stage: Pick<TextStage, 'write'>): ReaderStage['badge'] =>
  (...numbers) =>
    stage.write(numbers.map((number) => `${number}\r`).join(''));

/** Defines the tests; stands within a `describe`. */
export function textReaderContract(
  setTextStage: (time: ReaderTime) => Promise<TextStage>,
  newTime?: () => ReaderTime,
): void {
  const setStage = async (time: ReaderTime) => {
    const stage = await setTextStage(time);
    return { ...stage, badge: asLines(stage) };
  };
  const openReader = () => openReaderOn(setStage, newTime);

  readerContract(setStage, newTime);
  floodContract(setStage, newTime);

  it.each([
    ['CR', '04a1b2\r'],
    ['LF', '04a1b2\n'],
    ['CR LF', '04a1b2\r\n'],
    ['STX and ETX', '\x0204a1b2\x03'],
  ])('reads a badge between %s', async (_, bytes) => {
    const { stage, time, cards } = await openReader();
    await stage.write(bytes);
    await time.until(() => expect(cards).toEqual(['04A1B2']));
  });

  it('reads a badge that comes in pieces', async () => {
    const { stage, time, cards } = await openReader();
    for (const part of ['04A', '1B', '2', '\r']) await stage.write(part);
    await time.until(() => expect(cards).toEqual(['04A1B2']));
  });

  it('counts garbage and reads the badge after it', async () => {
    const { stage, time, cards, counts } = await openReader();
    await stage.write(Buffer.from('\x00\xff\x1b[2J\r=\r4711\r', 'latin1'));
    await time.until(() => expect(cards).toEqual(['4711']));
    expect(counts.garbage).toBe(2);
  });

  it('drops 100 KB without an end as one frame, and reads the badge after it (I8)', async () => {
    const { stage, time, cards, counts } = await openReader();
    await stage.write('A'.repeat(100 * 1024));
    await stage.write('\r4711\r');
    await time.later(() => expect(cards).toEqual(['4711']));
    expect(counts.garbage).toBe(1);
  });

  it('makes no number of what comes too slowly (I8)', async () => {
    const { stage, time, cards, counts } = await openReader();
    const heard = time.heard();
    await stage.write('99');
    await heard;
    await time.pass(milliseconds(150));
    await stage.write('4711\r');
    await time.until(() => expect(counts.garbage).toBe(1));
    await stage.write('0815\r');
    await time.until(() => expect(cards).toEqual(['0815']));
  });
}
