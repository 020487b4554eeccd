/**
 * Turns the events of a keyboard into the typed text. Pure: the caller passes the time of each read. Releases and
 * auto-repeat type nothing. Other keys, and events that the kernel dropped (SYN_DROPPED, kernel documentation
 * input/event-codes), become a NUL, which makes the frame garbage.
 */
import { endianness } from 'node:os';

const EV_SYN = 0;
const EV_KEY = 1;
const SYN_REPORT = 0;
const SYN_DROPPED = 3;

const released = 0;
const pressed = 1;

const nothing = 0x00;
const carriageReturn = 0x0d;

interface Keystrokes {
  /** Gives ASCII, with CR at the end of a number. `at` is monotonic, in milliseconds. */
  type(events: readonly InputEvent[], at: number): Uint8Array;
  /** The time when the longest-held key was pressed; `undefined` while no key is down. */
  heldSince(): number | undefined;
}

export function createKeystrokes(): Keystrokes {
  const down = new Map<number, number>();
  let isDropping = false;

  const holds = (kind: 'shift' | 'command'): boolean =>
    [...down.keys()].some((code) => meaningOf(code).kind === kind);

  function typedBy(code: number): readonly number[] {
    const meaning = meaningOf(code);
    switch (meaning.kind) {
      case 'character':
        if (holds('command')) return [nothing];
        return [(holds('shift') ? meaning.shifted : meaning.plain).charCodeAt(0)];
      case 'end':
        return [carriageReturn];
      case 'other':
        return [nothing];
      default:
        return [];
    }
  }

  function take({ type, code, value }: InputEvent, at: number): readonly number[] {
    if (type === EV_SYN && code === SYN_DROPPED) {
      isDropping = true;
      // After dropped events it is unknown which keys are down.
      down.clear();
      return [nothing];
    }
    if (isDropping) {
      if (type === EV_SYN && code === SYN_REPORT) isDropping = false;
      return [];
    }
    if (type !== EV_KEY) return [];
    if (value === released) down.delete(code);
    if (value !== pressed) return [];
    down.set(code, at);
    return typedBy(code);
  }

  return {
    type: (events, at) => Uint8Array.from(events.flatMap((event) => take(event, at))),
    heldSince() {
      const [first] = down.values();
      return first;
    },
  };
}

/**
 * Keys of linux/input-event-codes.h in the US layout. A keyboard reader presses positions, not characters, so the
 * layout and the caps lock of the machine change nothing here. A row gives its first key, the plain characters, and
 * those with shift.
 */
const rows: readonly (readonly [first: number, plain: string, shifted: string])[] = [
  [2, '1234567890-=', '!@#$%^&*()_+'],
  [16, 'qwertyuiop[]', 'QWERTYUIOP{}'],
  [30, "asdfghjkl;'`", 'ASDFGHJKL:"~'],
  [43, '\\zxcvbnm,./', '|ZXCVBNM<>?'],
  [55, '*', '*'],
  [57, ' ', ' '],
  [71, '789-456+1230.', '789-456+1230.'],
  [98, '/', '/'],
  [117, '=', '='],
];

const characters: ReadonlyMap<number, readonly [plain: string, shifted: string]> = new Map(
  rows.flatMap(([first, plain, shifted]) =>
    [...plain].map((one, at) => [first + at, [one, shifted.charAt(at)] as const] as const),
  ),
);

const enter = 28;
const tab = 15;
const keypadEnter = 96;
const ends: ReadonlySet<number> = new Set([enter, tab, keypadEnter]);

/** Caps lock, num lock and scroll lock. Readers press them to undo the lock state of the machine. */
const locks: ReadonlySet<number> = new Set([58, 69, 70]);
const shifts: ReadonlySet<number> = new Set([42, 54]);
/** Control, alt and the logo keys, left and right. */
const commands: ReadonlySet<number> = new Set([29, 97, 56, 100, 125, 126]);

type KeyMeaning =
  | { readonly kind: 'character'; readonly plain: string; readonly shifted: string }
  | { readonly kind: 'end' | 'lock' | 'shift' | 'command' | 'other' };

export function meaningOf(code: number): KeyMeaning {
  const character = characters.get(code);
  if (character) return { kind: 'character', plain: character[0], shifted: character[1] };
  if (ends.has(code)) return { kind: 'end' };
  if (locks.has(code)) return { kind: 'lock' };
  if (shifts.has(code)) return { kind: 'shift' };
  if (commands.has(code)) return { kind: 'command' };
  return { kind: 'other' };
}

/** `struct input_event` of linux/input.h, in the byte order and long size of this machine. */
interface InputEvent {
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
