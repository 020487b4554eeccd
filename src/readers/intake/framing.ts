/**
 * Cuts what a badge reader sends into frames: bytes in, frames out. It does not know what a card number is (that is
 * `domain/card/card-number.ts`) and keeps no timers: the moment of each read comes in as an argument.
 * Limits and resynchronisation are those of INVARIANTS.md B.4, 1 Badge read (I8). Half a number is another person's
 * number: where a frame has a mark at its end, nothing between a gap and the next mark is ever taken.
 */
import type { Duration } from '../../core/duration.ts';
import { milliseconds } from '../../core/duration.ts';

const STX = 0x02;
const ETX = 0x03;
const LF = 0x0a;
const CR = 0x0d;

const longestFrame = 256;
/** So long a silence inside a frame means that something was lost. */
const partialGap = milliseconds(100);

/** How a reader marks where a number ends. */
export type FramingRule =
  /** CR, LF or both; STX and ETX are understood too. */
  | { readonly kind: 'line' }
  /** Between STX and ETX only; what stands outside is noise. */
  | { readonly kind: 'stx-etx' }
  /** So many bytes, and no mark at all. */
  | { readonly kind: 'fixed'; readonly length: number }
  /** A silence ends the number. */
  | { readonly kind: 'gap'; readonly milliseconds: number };

/** Printable ASCII, or something that had to be thrown away. */
export type Frame = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'garbage' };

export interface Framing {
  /** The frames that these bytes end. `at` is monotonic, in milliseconds. */
  push(bytes: Uint8Array, at: number): Frame[];
  /** Bytes of this moment were not pushed: what was begun, and what follows without a gap, is half of something. */
  missed(at: number): void;
  /** Where a silence ends a frame: how long it must be, and the frame it ends. */
  readonly silence?: { readonly span: Duration; end(): Frame[] };
}

/** A fresh framing for a port just opened: nothing of what came before the opening is completed by what comes after. */
export function createFraming(rule: FramingRule): Framing {
  switch (rule.kind) {
    case 'line':
      return marked({ isEnd: (byte) => byte === CR || byte === LF || byte === ETX, needsStart: 'no' });
    case 'stx-etx':
      return marked({ isEnd: (byte) => byte === ETX, needsStart: 'yes' });
    case 'fixed':
      return counted(rule.length);
    default:
      return silenced(milliseconds(rule.milliseconds));
  }
}

/** Frames that end with a mark. */
function marked({ isEnd, needsStart }: { isEnd(byte: number): boolean; needsStart: 'yes' | 'no' }): Framing {
  let pending: number[] | undefined;
  /** What comes now belongs to a frame that is lost, up to the next mark. */
  let isSkipping = false;
  let lastAt = Number.NEGATIVE_INFINITY;
  let missedAt = Number.NEGATIVE_INFINITY;

  const lose = (): Frame[] => {
    pending = undefined;
    isSkipping = true;
    return [garbage];
  };

  const start = (): Frame[] => {
    const isInterrupted = pending !== undefined && pending.length > 0;
    pending = [];
    isSkipping = false;
    return isInterrupted ? [garbage] : [];
  };

  const end = (): Frame[] => {
    const frames = pending === undefined ? [] : framesOf(pending);
    pending = undefined;
    isSkipping = false;
    return frames;
  };

  const take = (byte: number): Frame[] => {
    if (byte === STX) return start();
    if (isEnd(byte)) return end();
    if (isSkipping) return [];
    if (pending === undefined && needsStart === 'yes') return isLineEnd(byte) ? [] : lose();
    pending ??= [];
    if (pending.length === longestFrame) return lose();
    pending.push(byte);
    return [];
  };

  return {
    push(bytes, at) {
      const isTorn = pending !== undefined && at - lastAt >= partialGap;
      const frames = isTorn || at - missedAt < partialGap ? lose() : [];
      lastAt = at;
      missedAt = Number.NEGATIVE_INFINITY;
      for (const byte of bytes) frames.push(...take(byte));
      return frames;
    },
    missed(at) {
      pending = undefined;
      missedAt = at;
    },
  };
}

/** Frames of one length. They align at silences, the only thing between two of them that can be relied on. */
function counted(length: number): Framing {
  const begun = nothingBegun();

  const align = (): Frame[] => {
    const isPartial = begun.bytes.length > 0;
    Object.assign(begun, nothingBegun());
    return isPartial ? [garbage] : [];
  };

  const take = (byte: number): Frame[] => {
    if (begun.isSkipping || (begun.bytes.length === 0 && isMark(byte))) return [];
    begun.bytes.push(byte);
    if (begun.bytes.length < length) return [];
    const frames = framesOf(begun.bytes);
    begun.isSkipping = frames.includes(garbage);
    begun.bytes = [];
    return frames;
  };

  return betweenSilences(partialGap, { begun, take, end: align });
}

/** Frames that end with a silence. */
function silenced(span: Duration): Framing {
  const begun = nothingBegun();

  const end = (): Frame[] => {
    const frames = framesOf(begun.bytes.filter((byte) => !isMark(byte)));
    Object.assign(begun, nothingBegun());
    return frames;
  };

  const take = (byte: number): Frame[] => {
    if (begun.isSkipping) return [];
    if (begun.bytes.push(byte) <= longestFrame) return [];
    begun.bytes = [];
    begun.isSkipping = true;
    return [garbage];
  };

  return { ...betweenSilences(span, { begun, take, end }), silence: { span, end } };
}

/** Of a frame; `isSkipping`: what comes up to the next silence is lost. */
interface Begun {
  bytes: number[];
  isSkipping: boolean;
}

const nothingBegun = (): Begun => ({ bytes: [], isSkipping: false });

interface Steps {
  readonly begun: Begun;
  take(byte: number): Frame[];
  /** At a silence. */
  end(): Frame[];
}

function betweenSilences(span: Duration, { begun, take, end }: Steps): Framing {
  let lastAt = Number.NEGATIVE_INFINITY;
  return {
    push(bytes, at) {
      const frames = at - lastAt >= span ? end() : [];
      lastAt = at;
      for (const byte of bytes) frames.push(...take(byte));
      return frames;
    },
    missed(at) {
      begun.bytes = [];
      begun.isSkipping = true;
      lastAt = at;
    },
  };
}

const garbage: Frame = { kind: 'garbage' };
const isPrintable = (byte: number): boolean => byte >= 0x20 && byte <= 0x7e;
const isLineEnd = (byte: number): boolean => byte === CR || byte === LF;
const isMark = (byte: number): boolean => isLineEnd(byte) || byte === STX || byte === ETX;

/** None where there is nothing but a line end, which some readers send before their ETX. */
function framesOf(bytes: readonly number[]): Frame[] {
  const line = bytes.slice(0, bytes.findLastIndex((byte) => !isLineEnd(byte)) + 1);
  if (line.length === 0) return [];
  return [line.every(isPrintable) ? { kind: 'text', text: String.fromCharCode(...line) } : garbage];
}
