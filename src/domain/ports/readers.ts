/** The port CardReader: where badges come from. */
import type { Service } from '../../core/service.ts';
import type { CardNumber } from '../card/card-number.ts';
import type { Problem } from '../problem/problem.ts';

export interface CardRead {
  readonly reader: string;
  readonly card: CardNumber;
}

/**
 * What became of one frame: a badge's event; the same badge still there; a second badge at its side; a badge that was
 * left on the reader; no card number; or one of so many that no person holds these badges.
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

/** What a reader with a light or a beeper is told: the login was accepted, was refused, or all documents are out. */
export const readerSignals = ['accepted', 'refused', 'done'] as const;
export type ReaderSignal = (typeof readerSignals)[number];

/** Runs for ever: opens the device, reads, reopens it when it goes. */
export interface CardReader extends Service {
  readonly name: string;
  /** Shows it to the person at the reader. Never throws and never waits; forgotten where the device is away or busy. */
  signal?(what: ReaderSignal): void;
}

export interface CardReaderEvents {
  onCard(read: CardRead): void;
  /** The card of the last badge was taken away. Of readers that can tell: those of smart cards. */
  onRemoved?(read: CardRead): void;
  onUp(): void;
  onDown(problem: Problem): void;
  /** A key of a reader that plays a keyboard stays down, or has been let go again. */
  onKey?(state: 'stuck' | 'free'): void;
  /** Of every frame, in order; before `onCard` where it is accepted. */
  onFrame(verdict: FrameVerdict): void;
}

/** What is known of a reader at the moment. */
export interface ReaderStatus {
  readonly name: string;
  /** As in the configuration: `serial`, `tcp-listen`. */
  readonly kind: string;
  readonly state: 'up' | 'down';
  /** Since the start; `garbage` and those of a flood among them. */
  readonly frames: number;
  readonly garbage: number;
  /** How often it came back. */
  readonly reconnects: number;
}
