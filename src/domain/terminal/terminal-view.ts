/**
 * What a terminal shows. What is marked *for the person in front* is there only while they choose or wait for the pages,
 * and is gone with the session (I3). The sentence and the notice are theirs too; a passer-by reads those of
 * `public-words.ts`. The code that passes a view on picks its fields by name.
 */
import type { Sides } from '../document.ts';
import type { Defaults, DocumentOptions } from '../document-changes.ts';
import type { PageRange } from '../page-range.ts';
import type { TypedWay } from '../login.ts';
import type { Notice } from './notice.ts';
import type { AccountView } from './account-view.ts';
import type { StickView } from './stick-view.ts';
import type { DocumentNeed } from '../problem/document-reasons.ts';
import type { PrinterNeed } from '../problem/printer-needs.ts';
import type { ProblemCode } from '../problem/problem-kinds.ts';

export interface TerminalView {
  /** Counts badges and sessions: what was drawn for an older generation is stale (INVARIANTS.md D2). */
  readonly generation: number;
  /** The terminal machine's state, a word for scripts. */
  readonly state: string;
  /** The same in a sentence for the person: `Hold your card to the reader.` */
  readonly sentence: string;
  /** The foremost of what is said besides, and already part of the sentence. */
  readonly notice?: Notice;
  /** For the person in front: how many documents wait. */
  readonly waiting: number;
  /** Every reader of the terminal is away: no badge can be read. */
  readonly readers?: 'down';
  /** Absent where the service prints. */
  readonly printer?: PrinterView;
  /** Where there are several, in the order of the configuration: the first is the default, and `printer` is of it. */
  readonly printers?: readonly NamedPrinterView[];
  /** Where somebody in front is. */
  readonly sign?: SignView;
  /** In which amounts are, ISO 4217; absent where nobody has said it, and amounts are numbers. */
  readonly currency?: string;
  /** Why nobody can be served; there while the terminal is out of service. */
  readonly outage?: OutageView;
  /** For the person in front: they are asked whether the pages are in the tray, or it is to be printed again. */
  readonly mayHavePrinted?: readonly DoubtView[];
  /** For the person in front: so many whole seconds from the call to the session's end, if nothing happens; while a session counts down. */
  readonly endsInSeconds?: number;
  /** For the person in front, where prints are charged, as far as the service has told. */
  readonly balance?: BalanceView;
  /** What may be typed instead of a badge, while one is waited for. */
  readonly offers?: readonly TypedWay[];
  /** Whoever begins to type, and leaves, is given up after so many seconds. */
  readonly typingSeconds?: number;
  /** What must be typed to go on: the PIN of the badge, or who the unknown badge belongs to. */
  readonly asks?: 'pin' | 'enrollment';
  /** For the person in front: in the order of the list. */
  readonly documents?: readonly DocumentView[];
  /** For the person in front. */
  readonly fullName?: string;
  /** For the person in front: what this session released, in the order of its wishes, also what has ended. */
  readonly progress?: readonly DocumentProgress[];
  /** For the person in front: who is about to print more pages at once is asked first. */
  readonly askAbovePages?: number;
  /** For the person in front: they may look at their own account; and what is shown of it. */
  readonly offersAccount?: true;
  readonly account?: AccountView;
  /** For the person in front: what they may keep with their badge; there where one signed them in. */
  readonly defaults?: DefaultsView;
  /** For the person in front: the service does not let them print at this printer. */
  readonly notHere?: true;
  /** For the person in front: the name of the printer that they print at, where there are several; and another offer. */
  readonly chosenPrinter?: string;
  readonly instead?: InsteadView;
  /** For the person in front: what stands in the way of their prints. */
  readonly trouble?: TroubleView;
  /** For the person in front: documents that wait may be looked at before they are printed. */
  readonly offersPreview?: true;
  /** For the person in front: the page that they look at. */
  readonly preview?: PreviewView;
  /** For the person in front: the stick that is in. */
  readonly stick?: StickView;
  /** For the person in front: the language (BCP 47) that was chosen with this badge the last time. */
  readonly language?: string;
}

/** What a person can see at the printer itself, too. */
export interface PrinterView {
  readonly lamp: 'ready' | 'busy' | 'needs-attention' | 'unreachable';
  /** What it needs, where it says so. */
  readonly needs?: PrinterNeed;
}

/** One of several. */
export interface NamedPrinterView {
  readonly name: string;
  /** Absent while nothing is known of it. */
  readonly is?: PrinterView;
}

/** Another printer would do now what the chosen one would not. */
export interface InsteadView {
  /** Its name. */
  readonly printer: string;
  /** `trouble`: the chosen one needs something, or is away; else what it cannot do with these. */
  readonly why: 'trouble' | 'color' | 'two-sided' | 'paper' | 'format';
  readonly documentUuids: readonly string[];
}

/** As far as somebody has said it. */
export interface SignView {
  /** The name that the printer has in the service. */
  readonly printer?: string;
  readonly place?: string;
}

export interface OutageView {
  /**
   * `starting`: nothing stands in the way as far as is known; `needs-setup`: what does is in the log, under the
   * reference.
   */
  readonly reason:
    | 'starting'
    | 'not-approved'
    | 'switched-off'
    | 'service-away'
    | 'needs-setup'
    | 'elsewhere'
    | 'engine-away';
  /** The problem behind it; absent where nothing is wrong: `starting`. */
  readonly code?: ProblemCode;
  /** `elsewhere`: the gateway that serves this printer, where one does. */
  readonly by?: string;
  /** What an administrator types to approve this terminal (RFC 8628, 3.3), where there is such a code. */
  readonly userCode?: string;
  /** Finds the reason in the log: its field `reference`. Six characters that are not taken for one another. */
  readonly reference: string;
  /** Says where the reason is found. */
  readonly qr: QrView;
}

/** A QR code, dark on light, with the light squares around it that a scanner needs (ISO/IEC 18004, 6.3.8). */
export interface QrView {
  /** The `d` of an SVG path: the dark squares, each of side 1. */
  readonly path: string;
  /** The squares on a side, all in all. */
  readonly size: number;
}

/** How far a released document is; `printed` is said of a confirmed one only (I12). */
export interface DocumentProgress {
  readonly documentUuid: string;
  /** Made safe to show: the document may be in the list no more. */
  readonly name: string;
  /** Where it is printed, or was; absent: at the default printer. */
  readonly printer?: string;
  readonly stage:
    | 'waiting'
    | 'downloading'
    | 'converting'
    | 'printing'
    | 'printed'
    | 'handed-over'
    | 'failed'
    | 'unknown';
  /** Why it does not come out yet, where the printer keeps us waiting; see `PrinterWait`. */
  readonly wait?: 'waking-up' | 'busy' | 'rejecting' | 'held' | 'engine-away';
  /** Pages printed so far, and in all, where the printer tells. */
  readonly page?: number;
  readonly pages?: number;
  /** Why it failed, or is not known. */
  readonly code?: ProblemCode;
  /** What the printer needed, or the document, where that is why. */
  readonly needs?: PrinterNeed | DocumentNeed;
  /** The short id of its release, which finds it in the log; where it did not come out for certain. */
  readonly reference?: string;
}

/** One cause, and what may be tried again when it is gone. */
export interface TroubleView {
  readonly code: ProblemCode;
  /** What the printer needs, where that is it. */
  readonly needs?: PrinterNeed;
  /** They were not printed because of it, and are in the list again. */
  readonly documentUuids: readonly string[];
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
  /** Why it is unavailable. */
  readonly why?:
    | 'being-printed'
    | 'being-printed-elsewhere'
    | 'stored-elsewhere'
    | 'already-printed'
    | 'set-aside'
    | 'too-long'
    | 'gone';
  /** Where the terminal stands that prints it, of another gateway. */
  readonly place?: string;
  /** As the service calls it: `A4`. */
  readonly paper?: string;
  /** When it was sent, ISO 8601, UTC. */
  readonly sentAt?: string;
  /** What the person may still change of it, either way; nothing where this is absent. */
  readonly options?: DocumentOptions;
  /** A decimal as text, where prints are charged and the service has told. */
  readonly cost?: string;
  readonly fits?: boolean;
  /** It does not, and would if it came out in black and white, which may be asked for. */
  readonly fitsInGrey?: true;
}

/** A page of a document that waits, as a picture. */
export interface PreviewView {
  readonly documentUuid: string;
  /** Counted from 1. */
  readonly page: number;
  readonly stage: 'making' | 'shown' | 'none';
  /** Why there is none. */
  readonly why?: 'no-preview' | 'no-such-page' | 'gone' | 'not-fetched' | 'failed';
  /** The name under which the page is given the picture, as long as it is shown. */
  readonly picture?: string;
}

/** A document whose last release may have printed it. */
export interface DoubtView {
  readonly documentUuid: string;
  /** When its printing began, ISO 8601, UTC; absent where the ledger no longer knows. */
  readonly at?: string;
  /** Where the terminal stands that may have printed it, of another gateway. */
  readonly place?: string;
  /** Pages that did not come out by the printer's own count, and may be printed by themselves. */
  readonly missing?: PageRange;
  /** There it was printed, and nobody doubts that. */
  readonly isPrinted?: true;
  /** Nobody knows: the engine of the fleet has forgotten, and not every gateway has told yet what it printed. */
  readonly isAskedFor?: true;
}

/** How the person wants documents that offer it, where they say nothing else. */
export interface DefaultsView {
  readonly kept?: Defaults;
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
