/**
 * What was seen of a scene from outside, and nothing else: the printers' trays, the cloud's books, what the screens were
 * given, what the log's bytes say, what lay in the state directory. Plain data, all times wall milliseconds of the scene's
 * own time. The judges read this and know nothing of the agent.
 */
import type { Frame } from '../../src/kiosk/frame.ts';
import type { CallRecord } from '../../src/simulator/cloud/serving.ts';
import type { HistoryEntry } from '../../src/simulator/cloud/state.ts';
import type { PrinterHabitName } from './habits.ts';

export interface Chronicle {
  readonly terminals: readonly SeenTerminal[];
  readonly people: readonly SeenPerson[];
  readonly documents: readonly SeenDocument[];
  readonly visits: readonly Visit[];
  readonly taps: readonly Tap[];
  readonly words: readonly SpokenWord[];
  readonly frames: readonly SeenFrame[];
  /** Whole lines as they were written, of all lives. */
  readonly log: readonly LogLine[];
  readonly outputs: readonly SeenOutput[];
  readonly calls: readonly CallRecord[];
  readonly history: readonly HistoryEntry[];
  /** Against the specifications, as cloud and printers noted it. */
  readonly deviations: readonly string[];
  /** Of files of the state directory, and what of it must not be there. */
  readonly foundAtRest: readonly { readonly at: number; readonly file: string; readonly what: string }[];
  readonly disturbances: readonly Disturbance[];
  /** When all faults had ended; who came after that came to a terminal that is well. */
  readonly healedAt: number;
  /** The scene did not come to its end as it should have. */
  readonly troubles: readonly string[];
  readonly isBalanceChecked: boolean;
  readonly secrets: readonly Secret[];
}

export interface SeenTerminal {
  readonly id: string;
  readonly serialNumber: string;
  readonly autoRelease: boolean;
  readonly habits: readonly PrinterHabitName[];
}

export interface SeenPerson {
  readonly userName: string;
  readonly fullName: string;
  readonly card: string;
  readonly canPay: boolean;
}

export interface SeenDocument {
  readonly uuid: string;
  readonly name: string;
  readonly owner: string;
  readonly sha256: string;
  readonly addedAt: number;
}

/** One person at one terminal. */
export interface Visit {
  readonly person: string;
  readonly terminal: string;
  readonly at: number;
  /** After everything was healed, to see that the terminal serves. */
  readonly isProof: boolean;
  documents: readonly string[];
  /** When the screen first showed that the person is known. */
  openedAt: number | undefined;
}

export interface Tap {
  readonly at: number;
  readonly terminal: string;
  readonly person: string;
}

export interface SpokenWord {
  readonly at: number;
  readonly terminal: string;
  readonly person: string;
  readonly command: 'release' | 'print-again' | 'it-is-there' | 'delete' | 'change' | 'log-out';
  readonly documents: readonly string[];
  /** Of the answer: 204, or a refusal; absent while the answer is on its way. */
  status?: number;
}

export interface SeenFrame {
  readonly at: number;
  readonly terminal: string;
  /** Which start of the agent it came from; generations begin anew with each. */
  readonly life: number;
  readonly frame: Frame;
}

export interface LogLine {
  readonly at: number;
  readonly life: number;
  readonly line: string;
}

/** Something came out of a printer, in part or whole. */
export interface SeenOutput {
  readonly at: number;
  readonly terminal: string;
  /** Of the document whose bytes these are; absent where they are nobody's. */
  readonly document: string | undefined;
  readonly whole: boolean;
  readonly impressions: number;
}

export type Disturbance = {
  readonly at: number;
  /** Still going on where it is absent. */
  until?: number;
} & (
  | { readonly kind: 'cloud'; readonly fault: string; readonly call: string; met: number }
  | { readonly kind: 'printer'; readonly fault: string; readonly terminal: string }
  | { readonly kind: 'kill' | 'restart' }
);

export interface Secret {
  readonly what: string;
  readonly text: string;
}
