/**
 * Turns keyboard events into the typed text. Pure: the caller passes the time of each read. Releases and auto-repeat
 * type nothing. Other keys, and events that the kernel dropped (SYN_DROPPED, kernel documentation input/event-codes),
 * become a NUL, which makes the frame garbage.
 */
import type { InputEvent } from './input-events.ts';

const EV_SYN = 0;
const EV_KEY = 1;
const SYN_REPORT = 0;
const SYN_DROPPED = 3;

const released = 0;
const pressed = 1;

const nothing = 0x00;
const carriageReturn = 0x0d;

export interface Keystrokes {
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
