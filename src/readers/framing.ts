/**
 * Cuts what a badge reader sends into lines: bytes in, frames out. It does not know what a card number is (that is
 * `domain/card.ts`) and keeps no timers: the moment of each read comes in as an argument.
 * Limits and resynchronisation are those of reliability.md B.4, 1 Badge read (I8).
 */
const CR = 0x0d;
const LF = 0x0a;
const STX = 0x02;
const ETX = 0x03;

const longestFrame = 256;
/** After an overlong frame so long a silence ends the discarding, as a terminator does. Milliseconds. */
const discardGap = 50;
/** So long a silence inside a frame means that its rest will not come. Milliseconds. */
const partialGap = 100;

/** A whole line of printable ASCII, or one that had to be thrown away. */
export type Frame = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'garbage' };

export interface Framing {
  /** The frames that these bytes end. `at` is monotonic, in milliseconds. */
  push(bytes: Uint8Array, at: number): Frame[];
}

const garbage: Frame = { kind: 'garbage' };
const isPrintable = (byte: number): boolean => byte >= 0x20 && byte <= 0x7e;

/** A fresh framing for a port just opened: nothing of what came before the opening is completed by what comes after. */
export function createFraming(): Framing {
  let pending: number[] = [];
  let discarding = false;
  let lastAt = Number.NEGATIVE_INFINITY;

  /** Never emits the part: half a number is another person's number. */
  const endBySilence = (gap: number): Frame[] => {
    if (discarding && gap >= discardGap) discarding = false;
    if (pending.length === 0 || gap < partialGap) return [];
    pending = [];
    return [garbage];
  };

  const endByTerminator = (): Frame[] => {
    const line = pending;
    pending = [];
    if (discarding) discarding = false;
    else if (line.length > 0)
      return [line.every(isPrintable) ? { kind: 'text', text: textOf(line) } : garbage];
    return [];
  };

  const take = (byte: number): Frame[] => {
    if (byte === CR || byte === LF || byte === ETX) return endByTerminator();
    if (discarding) return [];
    if (byte === STX) {
      const interrupted = pending.length > 0;
      pending = [];
      return interrupted ? [garbage] : [];
    }
    if (pending.length < longestFrame) {
      pending.push(byte);
      return [];
    }
    pending = [];
    discarding = true;
    return [garbage];
  };

  return {
    push(bytes, at) {
      const frames = endBySilence(at - lastAt);
      lastAt = at;
      for (const byte of bytes) frames.push(...take(byte));
      return frames;
    },
  };
}

const textOf = (line: readonly number[]): string => String.fromCharCode(...line);
