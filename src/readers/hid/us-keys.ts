/**
 * Keys of linux/input-event-codes.h as the US layout has them. A reader that plays a keyboard presses positions, not
 * characters: what layout the machine is set to, and whether caps lock is on there, changes nothing here.
 */

/** From each key of a row on: what it types, and what it types with shift. */
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

/** Caps lock, num lock, scroll lock: readers press them to undo what the machine is set to. */
const locks: ReadonlySet<number> = new Set([58, 69, 70]);
const shifts: ReadonlySet<number> = new Set([42, 54]);
/** Control, alt and the logo keys, left and right. */
const commands: ReadonlySet<number> = new Set([29, 97, 56, 100, 125, 126]);

export type KeyMeaning =
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
