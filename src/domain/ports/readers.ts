/** The port CardReader: the source of badges. */
import type { Service } from '../../core/service.ts';
import type { CardNumber } from '../card/card-number.ts';
import type { Problem } from '../problem/problem.ts';

export interface CardRead {
  readonly reader: string;
  readonly card: CardNumber;
}

/**
 * The result of one frame: a badge's event; the same badge still there; a second badge at its side; a badge that was
 * left on the reader; no card number; or a flood, with more badges than a person holds.
 */
export const frameVerdicts = [
  'accepted',
  'still-there',
  'second-card',
  'card-left',
  'garbage',
  'flood',
] as const;
export type FrameVerdict = (typeof frameVerdicts)[number];

/** The signals of a reader with a light or a beeper: the login was accepted, was refused, or all documents are out. */
export const readerSignals = ['accepted', 'refused', 'done'] as const;
export type ReaderSignal = (typeof readerSignals)[number];

/** Runs until it is aborted: opens the device, reads, and reopens it when it disappears. */
export interface CardReader extends Service {
  readonly name: string;
  /** Shows it to the person at the reader. Never throws and never waits. Dropped if the device is away or busy. */
  signal?(what: ReaderSignal): void;
}

export interface CardReaderEvents {
  onCard(read: CardRead): void;
  /** The card of the last badge was taken away. Only smart card readers can tell. */
  onRemoved?(read: CardRead): void;
  onUp(): void;
  onDown(problem: Problem): void;
  /** A key of a reader that acts as a keyboard stays down, or has been released again. */
  onKey?(state: 'stuck' | 'free'): void;
  /** Called for every frame, in order; before `onCard` if it is accepted. */
  onFrame(verdict: FrameVerdict): void;
}

/** The present facts of a reader. */
export interface ReaderStatus {
  readonly name: string;
  /** As in the configuration: `serial`, `tcp-listen`. */
  readonly kind: string;
  readonly state: 'up' | 'down';
  /** Since the start, including `garbage` and floods. */
  readonly frames: number;
  readonly garbage: number;
  /** How often it came back. */
  readonly reconnects: number;
}
