/** The stick as the person in front sees it. */

export interface StickView {
  /**
   * `in`: one stick is in; `several`: their owners are not known, so none is read; `reading`, `files`, `failed`: the
   * person looks at it; `bringing`: one of its files is on its way into their documents.
   */
  readonly stage: 'in' | 'several' | 'reading' | 'files' | 'bringing' | 'failed';
  /** Counts the lists that were read. A word to an older list no longer counts. */
  readonly edition: number;
  /** Only with `files`. */
  readonly files?: readonly StickFileView[];
  /** There are more files than these. */
  readonly isMore?: true;
  /** The name of the file that is on its way, or has become one of their documents. */
  readonly name?: string;
  /** The part of it that has been taken, in percent. */
  readonly percent?: number;
  /** Why the stick, or its last file, could not be used. */
  readonly why?: StickWhy;
}

/** Their names are made safe to show. */
export interface StickFileView {
  readonly folder: string;
  readonly name: string;
  readonly octets: number;
}

/**
 * `no-queue`: there is no queue for their documents; `denied`: the service does not let them; `not-sent`: the service
 * cannot be reached.
 */
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
