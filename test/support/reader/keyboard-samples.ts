/** What a keyboard wedge sends: the events of linux/input.h, as a 64-bit Linux writes them. */
import { meaningOf } from '../../../src/readers/hid/keystrokes.ts';

type Event = readonly [type: number, code: number, value: number];

export const enter = 28;
export const keypadEnter = 96;
export const tab = 15;
export const leftShift = 42;
export const capsLock = 58;

const synReport: Event = [0, 0, 0];
export const synDropped: Event = [0, 3, 0];

/** Sixteen bytes of time stamp, of which nobody takes notice, then type, code and value. */
export function bytesOf(events: readonly Event[]): Buffer {
  const bytes = Buffer.alloc(events.length * 24, 0xa5);
  for (const [at, [type, code, value]] of events.entries()) {
    bytes.writeUInt16LE(type, at * 24 + 16);
    bytes.writeUInt16LE(code, at * 24 + 18);
    bytes.writeInt32LE(value, at * 24 + 20);
  }
  return bytes;
}

/** With the scan code that the kernel tells before each key (MSC_SCAN). */
export const press = (code: number): readonly Event[] => [[4, 4, 0x70000 + code], [1, code, 1], synReport];
export const repeat = (code: number): readonly Event[] => [
  [1, code, 2],
  [0, 0, 1],
];
export const release = (code: number): readonly Event[] => [[4, 4, 0x70000 + code], [1, code, 0], synReport];
export const strike = (code: number): readonly Event[] => [...press(code), ...release(code)];

const codes = Array.from({ length: 128 }, (_, code) => code);

/** The key of a character and whether it wants shift, by the table of the code that is tested: that is proven apart. */
export function strikesOf(text: string): readonly Event[] {
  return [...text].flatMap((one) => {
    const plain = codes.find((code) => characterOf(code)?.plain === one);
    const shifted = codes.find((code) => characterOf(code)?.shifted === one);
    if (plain !== undefined) return strike(plain);
    if (shifted === undefined) throw new Error(`no key types ${one}`);
    return [...press(leftShift), ...strike(shifted), ...release(leftShift)];
  });
}

function characterOf(code: number) {
  const meaning = meaningOf(code);
  return meaning.kind === 'character' ? meaning : undefined;
}

/** Numbers, each with Enter. */
export const typed = (...numbers: readonly string[]): Buffer =>
  bytesOf(numbers.flatMap((number) => [...strikesOf(number), ...strike(enter)]));
