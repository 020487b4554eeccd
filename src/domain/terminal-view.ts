/**
 * What a terminal shows. A passer-by may see all of it but what is marked *for the person in front*: that is there only
 * while the person chooses or waits for the pages, and is gone with the session (I3). Who passes a view on picks its
 * fields by name.
 */
import type { Sides } from './document.ts';
import type { TypedWay } from './login.ts';
import type { Notice } from './notice.ts';

export interface TerminalView {
  /** Counts badges and sessions: what was drawn for an older generation is stale (reliability.md D2). */
  readonly generation: number;
  /** The terminal machine's state, a word for scripts. */
  readonly state: string;
  /** The same in a sentence for the person: `Hold your card to the reader.` */
  readonly sentence: string;
  /** The foremost of what is said besides, and already part of the sentence. */
  readonly notice?: Notice;
  /** How many documents wait; a number and nothing else. */
  readonly waiting: number;
  /** Every reader of the terminal is away: no badge can be read. */
  readonly readers?: 'down';
  /** What the person is asked about: whether the pages are in the tray, or it is to be printed again. */
  readonly mayHavePrinted?: readonly DoubtView[];
  /** So many whole seconds from the call to the session's end, if nothing happens; while a session counts down. */
  readonly endsInSeconds?: number;
  /** Where prints are charged, as far as the service has told. */
  readonly balance?: BalanceView;
  /** What may be typed instead of a badge, while one is waited for. */
  readonly offers?: readonly TypedWay[];
  /** What must be typed to go on: the PIN of the badge, or who the unknown badge belongs to. */
  readonly asks?: 'pin' | 'enrollment';
  /** For the person in front: in the order of the list. */
  readonly documents?: readonly DocumentView[];
  /** For the person in front. */
  readonly fullName?: string;
}

/** One document of the list, for its owner. */
export interface DocumentView {
  readonly uuid: string;
  /** Made safe to show. */
  readonly name: string;
  readonly pages: number | undefined;
  readonly copies: number;
  readonly color: boolean;
  readonly sides: Sides | undefined;
  readonly standing: 'releasable' | 'may-have-printed' | 'unavailable' | 'printing';
  /** A decimal as text, where prints are charged and the service has told. */
  readonly cost?: string;
  readonly fits?: boolean;
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
