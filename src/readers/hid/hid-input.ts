/** What is made of the bytes of a USB reader's node, in one opening of it: badges, cards taken away, stuck keys. */
import type { ReportLayout } from '../../config/schema/known-readers.ts';
import type { CardRead } from '../../domain/ports/readers.ts';
import type { TextReaderDeps } from '../intake/badge-intake.ts';
import { createBadgeIntake } from '../intake/badge-intake.ts';
import type { Clock } from '../../core/clock.ts';
import { milliseconds, seconds } from '../../core/duration.ts';
import { createEventCutter } from './input-events.ts';
import { createKeystrokes } from './keystrokes.ts';

export interface HidInput {
  push(bytes: Uint8Array): void;
  close(): void;
}

/** One key, pressed by somebody who leans on the keyboard, is no badge. */
const shortestTyped = 4;

/** The answer opens an input, one for each opening of the device. */
export function createKeyboardInput(deps: TextReaderDeps): () => HidInput {
  const { clock, events } = deps;
  const openIntake = createBadgeIntake({ ...deps, shortest: shortestTyped });

  return () => {
    const intake = openIntake();
    const cut = createEventCutter();
    const keystrokes = createKeystrokes();
    const stuck = createStuckKeyWatch({
      clock,
      onKey(state) {
        if (state === 'stuck') events.onFrame('garbage');
        events.onKey?.(state);
      },
    });
    return {
      push(bytes) {
        const typed = keystrokes.type(cut(bytes), clock.monotonic());
        if (typed.length > 0) intake.push(typed);
        stuck.heldSince(keystrokes.heldSince());
      },
      close() {
        stuck.close();
        intake.close();
      },
    };
  };
}

const carriageReturn = '\r';
/** A frame that no card number has. */
const garbage = `\0${carriageReturn}`;

/** The answer opens an input, one for each opening of the device. Each report is a line of its own. */
export function createRawInput(options: TextReaderDeps & { readonly layout: ReportLayout }): () => HidInput {
  const tellsRemoval = options.layout.empty === 'removed';
  /** The card on the reader; nobody's number is kept where nobody tells that it is gone (D3). */
  let lying: CardRead | undefined;
  const openIntake = createBadgeIntake({
    ...options,
    framing: { kind: 'line' },
    events: {
      ...options.events,
      onCard(read) {
        if (tellsRemoval) lying = read;
        options.events.onCard(read);
      },
    },
  });

  function takeAway(): void {
    if (lying) options.events.onRemoved?.(lying);
    lying = undefined;
  }

  return () => {
    const intake = openIntake();
    const read = createReportReading(options.layout);
    return {
      push(bytes) {
        const reading = read(bytes);
        if (reading.kind === 'number') intake.push(Buffer.from(`${reading.text}${carriageReturn}`, 'latin1'));
        if (reading.kind === 'garbage') intake.push(Buffer.from(garbage, 'latin1'));
        if (reading.kind === 'removed') takeAway();
      },
      close() {
        lying = undefined;
        intake.close();
      },
    };
  };
}

/**
 * From an input report of a reader that is no keyboard to the card number in it, by a layout of `config/readers.json`.
 * One read of a hidraw node is one report (kernel documentation hid/hidraw).
 */
export type ReportReading =
  | { readonly kind: 'number'; readonly text: string }
  /** Another kind of report, or the rest of one that was told as garbage. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'removed' }
  | { readonly kind: 'garbage' };

/** The answer reads the reports of one opening, in their order. */
export function createReportReading(layout: ReportLayout): (report: Uint8Array) => ReportReading {
  let isContinuation = false;

  return (report) => {
    if (layout.reportId !== undefined && report[0] !== layout.reportId) return { kind: 'nothing' };
    const wasContinuation = isContinuation;
    isContinuation = layout.continued !== undefined && (report[layout.continued] ?? 0) !== 0;
    // The end of a long number is no number.
    if (wasContinuation) return { kind: 'nothing' };
    if (isContinuation) return { kind: 'garbage' };

    const length = report[layout.length];
    if (length === 0) return { kind: layout.empty === 'removed' ? 'removed' : 'garbage' };
    if (length === undefined || length > layout.most) return { kind: 'garbage' };
    const bytes = report.subarray(layout.number, layout.number + length);
    return bytes.length < length ? { kind: 'garbage' } : numberIn(bytes, layout);
  };
}

function numberIn(sent: Uint8Array, { order, output, between }: ReportLayout): ReportReading {
  const bytes = Buffer.from(order === 'reversed' ? sent.toReversed() : sent);
  const text = bytes.toString(output === 'hex' ? 'hex' : 'latin1');
  if (!between) return { kind: 'number', text };
  const [start, end] = between;
  if (text.length < 3 || !text.startsWith(start) || !text.endsWith(end)) return { kind: 'garbage' };
  return { kind: 'number', text: text.slice(1, -1) };
}

/** Tells of a key that nobody lets go: something lies on the reader, or it is broken. */

/** No reader, and no person who types, holds a key for so long. */
const stuckAfter = seconds(5);

interface StuckKeyWatch {
  /** After each read: when the key that is down for longest was pressed, if any is down. Monotonic, in milliseconds. */
  heldSince(at: number | undefined): void;
  /** The device is gone, and its keys with it. */
  close(): void;
}

function createStuckKeyWatch({
  clock,
  onKey,
}: {
  readonly clock: Clock;
  onKey(state: 'stuck' | 'free'): void;
}): StuckKeyWatch {
  let since: number | undefined;
  let isStuck = false;
  let timer: unknown;

  const look = (): void => {
    clock.clearTimeout(timer);
    const left = since === undefined ? undefined : since + stuckAfter - clock.monotonic();
    if (left !== undefined && left > 0) timer = clock.setTimeout(look, milliseconds(left));
    const wasStuck = isStuck;
    isStuck = left !== undefined && left <= 0;
    if (isStuck !== wasStuck) onKey(isStuck ? 'stuck' : 'free');
  };

  const heldSince = (at: number | undefined): void => {
    if (at === since) return;
    since = at;
    look();
  };

  return { heldSince, close: () => heldSince(undefined) };
}
