/**
 * The USB sticks that a person brings to a terminal: the sticks that are in, the printable files of a stick, and their
 * content.
 */
import type { CallOptions } from './call.ts';

/** A stick that is pulled out and put in again counts as another one. */
export interface Stick {
  readonly id: string;
}

export type StickFormat = 'pdf' | 'jpeg' | 'png';

export interface StickFile {
  /** Made safe to show; the folder is empty at the top. */
  readonly folder: string;
  readonly name: string;
  readonly octets: number;
  /** By the file's name. Its first octets tell whether that is true. */
  readonly format: StickFormat;
  /** The place of the file on this stick. Only the port of the sticks understands it. */
  readonly place: string;
}

export interface StickContents {
  readonly files: readonly StickFile[];
  /** There are more files than a person would look through. */
  readonly isMore: boolean;
}

/**
 * Why a stick, or a file of it, cannot be used. `unreadable`: it is broken, or of a kind that cannot be read here;
 * `unfit`: the content does not match the file's name; `locked`: it asks for a password; `not-shut-in`: the machine has
 * no sandbox for reading it.
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
  /** The sticks that are in. */
  present(): Promise<readonly Stick[]>;
  /** Rejects with a `StickFailure`. */
  files(stick: Stick, call: CallOptions): Promise<StickContents>;
  /**
   * Resolves when the whole file has been read and its content matches its name. Rejects, or breaks off, with a
   * `StickFailure`.
   */
  read(stick: Stick, file: StickFile, call: CallOptions): Promise<AsyncGenerator<Buffer>>;
}
