/** The USB sticks that a person brings to a terminal: which are in, what may be printed of one, and what a file holds. */
import type { CallOptions } from './call.ts';

/** As it was put in: out and in again it is another. */
export interface Stick {
  readonly id: string;
}

export type StickFormat = 'pdf' | 'jpeg' | 'png';

export interface StickFile {
  /** Made safe to show; the folder is empty at the top. */
  readonly folder: string;
  readonly name: string;
  readonly octets: number;
  /** By its name; whether that is true its first octets tell. */
  readonly format: StickFormat;
  /** Where it lies on this stick; nobody's word but the stick's port's. */
  readonly place: string;
}

export interface StickContents {
  readonly files: readonly StickFile[];
  /** There are more of them than anybody would look through. */
  readonly isMore: boolean;
}

/**
 * Why a stick, or a file of it, cannot be had. `unreadable`: it is broken, or of a kind that nobody here reads; `unfit`: the
 * file is not what its name says; `locked`: it asks for a password; `not-shut-in`: there is no room to read it in.
 */
export type StickTrouble = 'pulled-out' | 'unreadable' | 'too-large' | 'unfit' | 'locked' | 'not-shut-in';

export class StickFailure extends Error {
  readonly why: StickTrouble;

  constructor(why: StickTrouble, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = 'StickFailure';
    this.why = why;
  }
}

export interface Sticks {
  /** Those that are in. */
  present(): Promise<readonly Stick[]>;
  /** Rejects with a `StickFailure`. */
  files(stick: Stick, call: CallOptions): Promise<StickContents>;
  /**
   * Resolves when the whole file has been read and is what its name says; rejects, or breaks off, with a `StickFailure`.
   */
  read(stick: Stick, file: StickFile, call: CallOptions): Promise<AsyncGenerator<Buffer>>;
}
