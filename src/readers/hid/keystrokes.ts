/**
 * From the events of a keyboard to the text that was typed. Pure: the moment of each read is an argument. Releases and
 * auto-repeat type nothing; what makes no number, and what the kernel had to drop (SYN_DROPPED, kernel documentation
 * input/event-codes), becomes a NUL, which no frame survives.
 */
import type { InputEvent } from './input-events.ts';
import { meaningOf } from './us-keys.ts';

const EV_SYN = 0;
const EV_KEY = 1;
const SYN_REPORT = 0;
const SYN_DROPPED = 3;

const released = 0;
const pressed = 1;

const nothing = 0x00;
const carriageReturn = 0x0d;

export interface Keystrokes {
  /** ASCII, with CR where a number ends. `at` is monotonic, in milliseconds. */
  type(events: readonly InputEvent[], at: number): Uint8Array;
  /** When the key that is down for longest was pressed; `undefined` while none is down. */
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
      // Which keys are down is not known any more.
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
