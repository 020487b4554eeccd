/** What is made of the bytes of a USB reader's node, in one opening of it: badges, cards taken away, stuck keys. */
import type { ReportLayout } from '../../config/schema/known-readers.ts';
import type { CardRead } from '../../domain/ports/readers.ts';
import type { TextReaderOptions } from '../intake/badge-intake.ts';
import { createBadgeIntake } from '../intake/badge-intake.ts';
import { createEventCutter } from './input-events.ts';
import { createKeystrokes } from './keystrokes.ts';
import { createReportReading } from './raw-report.ts';
import { createStuckKeyWatch } from './stuck-key.ts';

export interface HidInput {
  push(bytes: Uint8Array): void;
  close(): void;
}

/** One key, pressed by somebody who leans on the keyboard, is no badge. */
const shortestTyped = 4;

/** The answer opens an input, one for each opening of the device. */
export function createKeyboardInput(options: TextReaderOptions): () => HidInput {
  const { clock, events } = options;
  const openIntake = createBadgeIntake({ ...options, shortest: shortestTyped });

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
export function createRawInput(
  options: TextReaderOptions & { readonly layout: ReportLayout },
): () => HidInput {
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
