/**
 * Turns the bytes of a keyboard into keys: UTF-8, editing keys, and the ECMA-48 escape sequences of xterm and the Linux
 * console (console_codes(4), xterm's ctlseqs). Pasted text and automatic answers of a terminal are ignored. A lone
 * Escape can only be recognised by the silence after it: see `end`.
 */
import type { Duration } from '../core/duration.ts';
import { milliseconds } from '../core/duration.ts';

export type Key =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind:
        | 'enter'
        | 'tab'
        | 'escape'
        | 'backspace'
        | 'erase-line'
        | 'page-up'
        | 'page-down'
        | 'redraw';
    };

type NamedKey = Exclude<Key['kind'], 'text'>;

export interface KeyDecoder {
  push(bytes: Uint8Array): readonly Key[];
  /** A sequence has begun and is not complete. After `silence`, the caller must call `end`. */
  isWithin(): boolean;
  end(): readonly Key[];
}

/** No terminal pauses so long between the bytes of a sequence. */
export const silence: Duration = milliseconds(50);

/** No keyboard sends a longer sequence. It is dropped, and the following bytes are read anew. */
const longestSequence = 64;

const controls: Readonly<Record<string, NamedKey>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\b': 'backspace',
  '\x7f': 'backspace',
  '\x03': 'escape',
  '\x0c': 'redraw',
  '\x15': 'erase-line',
  '\x17': 'erase-line',
};

const sequences: Readonly<Record<string, NamedKey>> = {
  '\x1b[A': 'page-up',
  '\x1b[B': 'page-down',
  '\x1bOA': 'page-up',
  '\x1bOB': 'page-down',
  '\x1b[5~': 'page-up',
  '\x1b[6~': 'page-down',
  // The key Enter of the number pad in application mode.
  '\x1bOM': 'enter',
};

const pasteBegins = '\x1b[200~';
const pasteEnds = '\x1b[201~';

/** A character that is visible or joins others. A replacement character stands for bytes that are not UTF-8. */
const textual = /^(?:[^\p{C}\p{Zl}\p{Zp}\ufffd]|[\u200c\u200d])$/u;

export function createKeyDecoder(): KeyDecoder {
  const utf8 = new TextDecoder('utf-8');
  let sequence = '';
  let pasted: string | undefined;
  let before = '';

  function take(character: string): readonly Key[] {
    if (pasted !== undefined) {
      pasted = (pasted + character).slice(-pasteEnds.length);
      if (pasted === pasteEnds) pasted = undefined;
      return [];
    }
    if (sequence !== '') return takeOfSequence(character);
    if (character === '\x1b') {
      sequence = character;
      return [];
    }
    // CR LF is one key, because some readers that type end their line with it.
    const isSecondHalf = character === '\n' && before === '\r';
    before = character;
    const control = controls[character];
    if (control !== undefined) return isSecondHalf ? [] : [{ kind: control }];
    return textual.test(character) ? [{ kind: 'text', text: character }] : [];
  }

  function takeOfSequence(character: string): readonly Key[] {
    sequence += character;
    if (!isSequence.test(sequence)) {
      // Escape was pressed, and another key directly after it.
      sequence = '';
      return [{ kind: 'escape' }, ...take(character)];
    }
    if (sequence.length > longestSequence) sequence = '';
    if (!isWhole.test(sequence)) return [];
    const whole = sequence;
    sequence = '';
    if (whole === pasteBegins) pasted = '';
    const named = sequences[whole];
    return named === undefined ? [] : [{ kind: named }];
  }

  return {
    push: (bytes) => Array.from(utf8.decode(bytes, { stream: true })).flatMap(take),
    isWithin: () => sequence !== '' || pasted !== undefined,
    end() {
      const wasEscape = sequence === '\x1b';
      sequence = '';
      pasted = undefined;
      return wasEscape ? [{ kind: 'escape' }] : [];
    },
  };
}

// CSI and SS3. Function keys of the Linux console begin with CSI [. Strings (DCS, SOS, OSC, PM, APC) are answers of the
// terminal.
const isSequence = /^\x1b[[OPX\]^_]/;
const isWhole = /^\x1b(?:\[\[.|\[[\x20-\x3f]*[\x40-\x5a\x5c-\x7e]|O.|[PX\]^_][^]*(?:\x07|\x1b\\))$/;
