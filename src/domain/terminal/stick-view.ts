/** What the person in front sees of the stick that they put in. */

export interface StickView {
  /**
   * `in`: one is there; `several`: nobody knows whose they are, and none is read; `reading`, `files`, `failed`: they look at
   * it; `bringing`: one of its files is on its way into their documents.
   */
  readonly stage: 'in' | 'several' | 'reading' | 'files' | 'bringing' | 'failed';
  /** Counts the lists that were read; what answers an older one is not meant. */
  readonly edition: number;
  /** With `files`. */
  readonly files?: readonly StickFileView[];
  /** There are more than that. */
  readonly isMore?: true;
  /** Of the file on its way, or that is among their documents by now. */
  readonly name?: string;
  /** How much of it has been taken, of a hundred. */
  readonly percent?: number;
  /** Why the stick, or the last file of it, could not be had. */
  readonly why?: StickWhy;
}

/** Their names are made safe to show. */
export interface StickFileView {
  readonly folder: string;
  readonly name: string;
  readonly octets: number;
}

/** `no-queue`: nowhere may documents of theirs wait; `denied`: the service does not let them; `not-sent`: it cannot be reached. */
export type StickWhy =
  | 'pulled-out'
  | 'unreadable'
  | 'too-large'
  | 'unfit'
  | 'locked'
  | 'no-queue'
  | 'denied'
  | 'not-sent'
  | 'failed';
