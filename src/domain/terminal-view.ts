/**
 * What a passer-by may see of a terminal: no name, no title, no number of the person who stands before it (I3). What
 * prints cost is shown while that person chooses, and is gone with the session.
 */
export interface TerminalView {
  /** Counts sessions: what was drawn for an older generation is stale (reliability.md D2). */
  readonly generation: number;
  /** The terminal machine's state, a word for scripts. */
  readonly state: string;
  /** The same in a sentence for the person: `Hold your card to the reader.` */
  readonly sentence: string;
  /** How many documents wait; a number and nothing else. */
  readonly waiting: number;
  /** What the person is asked about: whether the pages are in the tray, or it is to be printed again. */
  readonly mayHavePrinted?: readonly DoubtView[];
  /** Where prints are charged, as far as the service has told. */
  readonly balance?: BalanceView;
}

/** A document whose last release may have printed it. */
export interface DoubtView {
  readonly documentUuid: string;
  /** When that was, ISO 8601, UTC; absent where the ledger no longer knows. */
  readonly at?: string;
}

/** Amounts are decimals as text: `3.20`. */
export interface BalanceView {
  readonly balance: string;
  /** Of those that fit, together. */
  readonly cost: string;
  readonly fitting: number;
  readonly tooDear: number;
  /** In the order in which the documents would be printed. */
  readonly costs: readonly { readonly cost: string; readonly fits: boolean }[];
}

export interface TerminalViewSource {
  current(): TerminalView;
  /** Calls back after every change; the answer ends that. */
  onChange(listener: () => void): () => void;
}
