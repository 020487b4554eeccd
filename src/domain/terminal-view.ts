/** What a passer-by may see of a terminal. No name, no title, nothing of the person who stands before it (I3). */
export interface TerminalView {
  /** Counts sessions: what was drawn for an older generation is stale (reliability.md D2). */
  readonly generation: number;
  /** The terminal machine's state, a word for scripts. */
  readonly state: string;
  /** The same in a sentence for the person: `Hold your card to the reader.` */
  readonly sentence: string;
  /** How many documents wait; a number and nothing else. */
  readonly waiting: number;
}

export interface TerminalViewSource {
  current(): TerminalView;
  /** Calls back after every change; the answer ends that. */
  onChange(listener: () => void): () => void;
}
