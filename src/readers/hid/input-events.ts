/**
 * Decodes the events of a Linux event node: `struct input_event` of linux/input.h, in the byte order and long size of
 * this machine. The meaning of keys is in `keystrokes.ts`.
 */
import { endianness } from 'node:os';

export interface InputEvent {
  readonly type: number;
  readonly code: number;
  readonly value: number;
}

const machines32: readonly string[] = ['arm', 'ia32', 'mips', 'mipsel', 'ppc', 's390'];
/** Bytes of the time stamp before type, code and value. It is two longs. */
const stampLength = machines32.includes(process.arch) ? 8 : 16;
const eventLength = stampLength + 8;

/** The returned function takes the bytes of one opening and gives the events that they complete. */
export function createEventCutter(): (bytes: Uint8Array) => InputEvent[] {
  let rest: Uint8Array = new Uint8Array();
  return (bytes) => {
    const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    const view = new DataView(all.buffer, all.byteOffset, all.byteLength);
    const events: InputEvent[] = [];
    let at = 0;
    for (; at + eventLength <= all.length; at += eventLength) events.push(eventAt(view, at + stampLength));
    rest = all.slice(at);
    return events;
  };
}

const isLittle = endianness() === 'LE';

const eventAt = (view: DataView, at: number): InputEvent => ({
  type: view.getUint16(at, isLittle),
  code: view.getUint16(at + 2, isLittle),
  value: view.getInt32(at + 4, isLittle),
});
