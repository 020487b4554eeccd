/**
 * Cuts the bytes of a badge reader into frames. It does not know card numbers (see `domain/card/card-number.ts`) and
 * has no timers: the caller passes the time of each read. Limits and resynchronisation follow INVARIANTS.md B.4, 1
 * Badge read (I8). Half a number could be another person's number. With marked frames, bytes after a gap are therefore
 * dropped up to the next mark.
 */
import type { Duration } from '../../core/duration.ts';
import { milliseconds } from '../../core/duration.ts';

const STX = 0x02;
const ETX = 0x03;
const LF = 0x0a;
const CR = 0x0d;

const longestFrame = 256;
/** If a frame has a silence this long inside it, bytes were lost. */
const partialGap = milliseconds(100);

/** How a reader marks the end of a number. */
export type FramingRule =
  /** CR, LF or both; STX and ETX are understood too. */
  | { readonly kind: 'line' }
  /** The number is between STX and ETX. Bytes outside are noise. */
  | { readonly kind: 'stx-etx' }
  /** A fixed number of bytes without a mark. */
  | { readonly kind: 'fixed'; readonly length: number }
  /** A silence ends the number. */
  | { readonly kind: 'gap'; readonly milliseconds: number };

/** Printable ASCII, or bytes that had to be dropped. */
export type Frame = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'garbage' };

export interface Framing {
  /** Gives the frames that these bytes end. `at` is monotonic, in milliseconds. */
  push(bytes: Uint8Array, at: number): Frame[];
  /**
   * Bytes of this time were not pushed. The begun frame, and bytes that follow without a gap, are incomplete and are
   * dropped.
   */
  missed(at: number): void;
  /** For frames that end with a silence: its length, and the function that ends the frame. */
  readonly silence?: { readonly span: Duration; end(): Frame[] };
}

/** Call it for each opening of the port, so that new bytes never complete a frame from before the opening. */
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

/** Frames with an end mark. */
function marked({ isEnd, needsStart }: { isEnd(byte: number): boolean; needsStart: 'yes' | 'no' }): Framing {
  let pending: number[] | undefined;
  /** The current frame is lost. Its bytes are dropped up to the next mark. */
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

/** Frames of a fixed length. They are aligned at silences, because nothing else between two frames is reliable. */
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

/** The begun frame. With `isSkipping`, bytes are dropped up to the next silence. */
interface Begun {
  bytes: number[];
  isSkipping: boolean;
}

const nothingBegun = (): Begun => ({ bytes: [], isSkipping: false });

interface Steps {
  readonly begun: Begun;
  take(byte: number): Frame[];
  /** Called when a silence was found. */
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

/** A line end alone is no frame: some readers send it before their ETX. */
function framesOf(bytes: readonly number[]): Frame[] {
  const line = bytes.slice(0, bytes.findLastIndex((byte) => !isLineEnd(byte)) + 1);
  if (line.length === 0) return [];
  return [line.every(isPrintable) ? { kind: 'text', text: String.fromCharCode(...line) } : garbage];
}
