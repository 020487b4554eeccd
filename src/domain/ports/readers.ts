/** The port CardReader: where badges come from. */
import type { Service } from '../../core/service.ts';
import type { CardNumber } from '../card/card-number.ts';
import type { Problem } from '../problem.ts';

export interface CardRead {
  readonly reader: string;
  readonly card: CardNumber;
}

/**
 * What became of one frame: a badge's event; the same badge still there; a second badge at its side; no card number;
 * or one of so many that no person holds these badges.
 */
export const frameVerdicts = ['accepted', 'still-there', 'second-card', 'garbage', 'flood'] as const;
export type FrameVerdict = (typeof frameVerdicts)[number];

/** Runs for ever: opens the device, reads, reopens it when it goes. */
export interface CardReader extends Service {
  readonly name: string;
}

export interface CardReaderEvents {
  onCard(read: CardRead): void;
  onUp(): void;
  onDown(problem: Problem): void;
  /** Of every frame, in order; before `onCard` where it is accepted. */
  onFrame(verdict: FrameVerdict): void;
}
