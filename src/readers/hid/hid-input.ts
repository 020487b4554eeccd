/**
 * Turns the bytes of a USB reader's node into badges, removed cards and stuck keys. An input lives for one opening of
 * the node.
 */
import type { ReportLayout } from '../../config/schema/known-readers.ts';
import type { CardRead } from '../../domain/ports/readers.ts';
import type { TextReaderDeps } from '../intake/badge-intake.ts';
import { createBadgeIntake } from '../intake/badge-intake.ts';
import type { Clock } from '../../core/clock.ts';
import { milliseconds, seconds } from '../../core/duration.ts';
import { createEventCutter, createKeystrokes } from './keystrokes.ts';

export interface HidInput {
  push(bytes: Uint8Array): void;
  close(): void;
}

/** A person who leans on the keyboard may press a single key. That is not a badge. */
const shortestTyped = 4;

/** The returned function opens an input. Call it for each opening of the device. */
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
/** No card number contains a NUL, so this frame counts as garbage. */
const garbage = `\0${carriageReturn}`;

/** The returned function opens an input. Call it for each opening of the device. Each report is a line of its own. */
export function createRawInput(options: TextReaderDeps & { readonly layout: ReportLayout }): () => HidInput {
  const tellsRemoval = options.layout.empty === 'removed';
  /**
   * The card on the reader. It is kept only if the reader reports removals, because otherwise nothing would clear it
   * (D3).
   */
  let presentCard: CardRead | undefined;
  const openIntake = createBadgeIntake({
    ...options,
    framing: { kind: 'line' },
    events: {
      ...options.events,
      onCard(read) {
        if (tellsRemoval) presentCard = read;
        options.events.onCard(read);
      },
    },
  });

  function takeAway(): void {
    if (presentCard) options.events.onRemoved?.(presentCard);
    presentCard = undefined;
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
        presentCard = undefined;
        intake.close();
      },
    };
  };
}

/**
 * The result of one input report of a raw reader, read by a layout of `config/readers.json`. One read of a hidraw node
 * is one report (kernel documentation hid/hidraw).
 */
export type ReportReading =
  | { readonly kind: 'number'; readonly text: string }
  /** Another kind of report, or the rest of a number that was already reported as garbage. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'removed' }
  | { readonly kind: 'garbage' };

/** The returned function reads the reports of one opening, in their order. */
export function createReportReading(layout: ReportLayout): (report: Uint8Array) => ReportReading {
  let isContinuation = false;

  return (report) => {
    if (layout.reportId !== undefined && report[0] !== layout.reportId) return { kind: 'nothing' };
    const wasContinuation = isContinuation;
    isContinuation = layout.continued !== undefined && (report[layout.continued] ?? 0) !== 0;
    // The end of a long number is not a number.
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

/** No reader holds a key for so long, and no person does while typing. */
const stuckAfter = seconds(5);

interface StuckKeyWatch {
  /**
   * Called after each read with the time when the longest-held key was pressed, or `undefined`. Monotonic milliseconds.
   */
  heldSince(at: number | undefined): void;
  /** The device is gone, so all its keys are up. */
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
