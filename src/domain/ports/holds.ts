/**
 * The port Holds: which gateway serves which terminal, and the roll of the gateways that could (F10, F11). A hold
 * decides which gateway listens to a reader and takes badges. It guards no print: a hold that lapses wrongly costs a
 * badge, never a second print.
 */
import type { Duration } from '../../core/duration.ts';
import type { Service } from '../../core/service.ts';

/** A terminal that this gateway is set up for. The terminals of one printer are one group, and move together. */
export interface Servable {
  readonly terminal: string;
  /** Another gateway knows the terminal by it, even if it uses another name, or another way to the printer. */
  readonly serialNumber: string;
  readonly group: string;
}

export type HoldStanding =
  /** `epoch` counts the holders of the group. It is higher than that of any earlier holder. */
  | { readonly is: 'held'; readonly epoch: number }
  /** Without `by` the terminal has no holder yet. */
  | { readonly is: 'elsewhere'; readonly by?: string }
  /** The engine cannot be asked for the holder. */
  | { readonly is: 'engine-away' };

export const isServedByAnother = (standing: HoldStanding): boolean =>
  standing.is === 'elsewhere' && standing.by !== undefined;

export interface Holds {
  readonly services: readonly Service[];
  /** From now on this gateway has these terminals, and no others. */
  serve(terminals: readonly Servable[]): void;
  standing(terminal: string): HoldStanding;
  /** Gives everything up in order, and takes nothing any more. Never rejects. */
  leave(): Promise<void>;
  /** `undefined` if this gateway is alone by its configuration. */
  roll(): Roll | undefined;
}

/** The part that made the holds, and serves terminals. */
export interface HoldUser {
  /** No person is at the terminal, and nothing of it is being printed. */
  isIdle(terminal: string): boolean;
  /**
   * The standing of the terminal has changed. Resolves when the consequences are done: if it is no longer held, its
   * readers are closed.
   */
  changed(terminal: string): Promise<void>;
}

export interface Roll {
  readonly site: string;
  /** Since the engine last heard of this gateway; absent if it never did. */
  readonly beatAge: Duration | undefined;
  /** The members of this site, by name. */
  readonly members: readonly Member[];
}

export interface Member {
  readonly name: string;
  readonly isSelf: boolean;
  /** By the engine's clock. */
  readonly lastBeat: Duration;
  readonly isBeating: boolean;
}
