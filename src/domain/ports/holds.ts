/**
 * The port Holds: who serves which terminal, and the roll of those who could (F10, F11). A hold decides who listens to a
 * reader and who takes badges. It guards no print: one that lapses wrongly costs a badge, never a second print.
 */
import type { Duration } from '../../core/duration.ts';
import type { Service } from '../../core/service.ts';

/** A terminal that this gateway is set up for. Those of one printer are one group, and move together. */
export interface Servable {
  readonly terminal: string;
  /** By it another gateway knows the terminal, whatever it calls it, and wherever it looks for the printer. */
  readonly serialNumber: string;
  readonly group: string;
}

export type HoldStanding =
  /** `epoch` counts the holders of its group: it is higher than that of any before. */
  | { readonly is: 'held'; readonly epoch: number }
  /** Absent `by`: of nobody yet. */
  | { readonly is: 'elsewhere'; readonly by?: string }
  /** Nobody can be asked who holds it. */
  | { readonly is: 'engine-away' };

export const isServedByAnother = (standing: HoldStanding): boolean =>
  standing.is === 'elsewhere' && standing.by !== undefined;

export interface Holds {
  readonly services: readonly Service[];
  /** These are the terminals of this gateway from now on, and no others. */
  serve(terminals: readonly Servable[]): void;
  standing(terminal: string): HoldStanding;
  /** Everything is given up in order, and nothing is taken any more. Never rejects. */
  leave(): Promise<void>;
  /** `undefined` where this gateway is alone by its configuration. */
  roll(): Roll | undefined;
}

/** Whoever made the holds, and serves terminals. */
export interface HoldUser {
  /** Nobody is at the terminal, and nothing of it is being printed. */
  isIdle(terminal: string): boolean;
  /** Its standing is another. Resolves when what follows is done: of one that is held no more, its readers are closed. */
  changed(terminal: string): Promise<void>;
}

export interface Roll {
  readonly site: string;
  /** Since the engine last heard of this gateway; absent: it never did. */
  readonly beatAge: Duration | undefined;
  /** Of this site, by name. */
  readonly members: readonly Member[];
}

export interface Member {
  readonly name: string;
  readonly isSelf: boolean;
  /** By the engine's clock. */
  readonly lastBeat: Duration;
  readonly isBeating: boolean;
}
