/**
 * The view of a terminal. Fields marked *for the person in front* are there only while that person chooses or waits for
 * the pages, and go with the session (I3). The sentence and the notice are also theirs; a passer-by reads those of
 * `public-words.ts`. Code that passes a view on picks its fields by name.
 */
import type { Sides } from '../document.ts';
import type { Defaults, DocumentOptions } from '../document-changes.ts';
import type { PageRange } from '../page-range.ts';
import type { TypedWay } from '../login.ts';
import type { Notice } from './notice.ts';
import type { AccountView } from './account-view.ts';
import type { StickView } from './stick-view.ts';
import type { PaperWork } from '../printer/paper-work.ts';
import type { DocumentNeed } from '../problem/document-reasons.ts';
import type { PrinterNeed } from '../problem/printer-needs.ts';
import type { ProblemCode } from '../problem/problem-kinds.ts';

export interface TerminalView {
  /** Counts badges and sessions. A drawing of an older generation is stale (INVARIANTS.md D2). */
  readonly generation: number;
  /** The terminal machine's state, a word for scripts. */
  readonly state: string;
  /** The state in a sentence for the person: `Hold your card to the reader.` */
  readonly sentence: string;
  /** The most important notice. The sentence already includes it. */
  readonly notice?: Notice;
  /** For the person in front: how many documents wait. */
  readonly waiting: number;
  /** Every reader of the terminal is away, so no badge can be read. */
  readonly readers?: 'down';
  /** Absent if the service prints. */
  readonly printer?: PrinterView;
  /**
   * Set if there are several, in the order of the configuration. The first is the default, and `printer` is about it.
   */
  readonly printers?: readonly NamedPrinterView[];
  /** Tells a person where they are. */
  readonly sign?: SignView;
  /** The currency of amounts, ISO 4217. Absent if it is not known; amounts are then plain numbers. */
  readonly currency?: string;
  /** Why people cannot be served; set while the terminal is out of service. */
  readonly outage?: OutageView;
  /** For the person in front: they are asked whether the pages are in the tray, or must be printed again. */
  readonly mayHavePrinted?: readonly DoubtView[];
  /**
   * For the person in front: whole seconds from this call to the session's end, if nothing happens. Set while a session
   * counts down.
   */
  readonly endsInSeconds?: number;
  /** For the person in front: set if prints are charged, as far as the service has told. */
  readonly balance?: BalanceView;
  /** The ways to log in by typing, while a badge is waited for. */
  readonly offers?: readonly TypedWay[];
  /** A person who begins to type and leaves counts as gone after so many seconds. */
  readonly typingSeconds?: number;
  /** The words that must be typed to go on: the PIN of the badge, or the owner of the unknown badge. */
  readonly asks?: 'pin' | 'enrollment';
  /** For the person in front: in the order of the list. */
  readonly documents?: readonly DocumentView[];
  /** For the person in front. */
  readonly fullName?: string;
  /**
   * For the person in front: everything that this session released, in the order of its wishes, ended releases
   * included.
   */
  readonly progress?: readonly DocumentProgress[];
  /** For the person in front: a wish for more pages than this is asked about first. */
  readonly askAbovePages?: number;
  /** For the person in front: they may look at their own account, and the shown part of it. */
  readonly offersAccount?: true;
  readonly account?: AccountView;
  /** For the person in front: the defaults that they may keep. Set if a badge signed them in. */
  readonly defaults?: DefaultsView;
  /** For the person in front: the service does not let them print at this printer. */
  readonly notHere?: true;
  /** For the person in front: the name of their printer, if there are several, and the offer of another one. */
  readonly chosenPrinter?: string;
  readonly instead?: InsteadView;
  /** For the person in front: the obstacle to their prints. */
  readonly trouble?: TroubleView;
  /** For the person in front: waiting documents may be looked at before they are printed. */
  readonly offersPreview?: true;
  /** For the person in front: the page that they look at. */
  readonly preview?: PreviewView;
  /** For the person in front: the stick that is in. */
  readonly stick?: StickView;
  /** For the person in front: the language (BCP 47) that was last chosen with this badge. */
  readonly language?: string;
}

/** Facts that a person can also see at the printer itself. */
export interface PrinterView {
  readonly lamp: 'ready' | 'busy' | 'needs-attention' | 'unreachable';
  /** The need of the printer, if it tells it. */
  readonly needs?: PrinterNeed;
}

/** One of several printers. */
export interface NamedPrinterView {
  readonly name: string;
  /** Absent while nothing is known of it. */
  readonly is?: PrinterView;
}

/** Another printer that can do now what the chosen one cannot. */
export interface InsteadView {
  /** The name of the other printer. */
  readonly printer: string;
  /**
   * `trouble`: the chosen printer needs something, or is away. Any other word: the property that it cannot print for
   * these documents.
   */
  readonly why: 'trouble' | 'color' | 'two-sided' | 'paper' | 'format';
  readonly documentUuids: readonly string[];
}

/** As far as it is known. */
export interface SignView {
  /** The name that the printer has in the service. */
  readonly printer?: string;
  readonly place?: string;
}

export interface OutageView {
  /** `starting`: there is no known obstacle; `needs-setup`: the obstacle is in the log, under the reference. */
  readonly reason:
    | 'starting'
    | 'not-approved'
    | 'switched-off'
    | 'service-away'
    | 'needs-setup'
    | 'elsewhere'
    | 'engine-away';
  /** The problem behind it; absent for `starting`, because then nothing is wrong. */
  readonly code?: ProblemCode;
  /** `elsewhere`: the gateway that serves this printer, if there is one. */
  readonly by?: string;
  /** An administrator types it to approve this terminal (RFC 8628, 3.3). Absent if there is no such code. */
  readonly userCode?: string;
  /** Finds the reason in the log: its field `reference`. Six characters that cannot be mistaken for one another. */
  readonly reference: string;
  /** Tells where the reason is found. */
  readonly qr: QrView;
}

/** A QR code, dark on light, with the light squares around it that a scanner needs (ISO/IEC 18004, 6.3.8). */
export interface QrView {
  /** The `d` of an SVG path: the dark squares, each of side 1. */
  readonly path: string;
  /** The number of squares on each side, margin included. */
  readonly size: number;
}

/** How far a released document is. `printed` is used only if the print is confirmed (I12). */
export interface DocumentProgress {
  readonly documentUuid: string;
  /** Made safe to show. The document may have left the list. */
  readonly name: string;
  /** The name of its printer; absent: the default printer. */
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
  /** Why it does not come out yet, if the printer keeps us waiting; see `PrinterWait`. */
  readonly wait?: 'waking-up' | 'busy' | 'rejecting' | 'held' | 'engine-away';
  /** Pages printed so far, and in all, if the printer tells. */
  readonly page?: number;
  readonly pages?: number;
  /** Why it failed, or why its result is unknown. */
  readonly code?: ProblemCode;
  /** The need of the printer or the document, if that is the reason. */
  readonly needs?: PrinterNeed | DocumentNeed;
  /** The short id of its release, which finds it in the log. Set if it did not come out for certain. */
  readonly reference?: string;
}

/** One cause, and the documents that may be tried again when it is gone. */
export interface TroubleView {
  readonly code: ProblemCode;
  /** The need of the printer, if that is the cause. */
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
  /** What is done with its paper; absent if that is left to the printer. */
  readonly work?: PaperWork;
  /** The pages that the person chose; absent: all. `pages` is the number of all. */
  readonly chosenPages?: readonly PageRange[] | undefined;
  /** The paper that the person chose in place of its own, which is not in the printer. */
  readonly onPaper?: string | undefined;
  /** Its paper is not in the printer, by the printer's own word. */
  readonly lacksPaper?: true;
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
  /** The place of the terminal of another gateway that prints it. */
  readonly place?: string;
  /** The service's word: `A4`. */
  readonly paper?: string;
  /** When it was sent, ISO 8601, UTC. */
  readonly sentAt?: string;
  /** The changes that the person may still make; absent if there are none. */
  readonly options?: DocumentOptions;
  /** A decimal as text, if prints are charged and the service has told. */
  readonly cost?: string;
  readonly fits?: boolean;
  /** It does not fit, but would in black and white, which may be chosen. */
  readonly fitsInGrey?: true;
}

/** A page of a waiting document, as a picture. */
export interface PreviewView {
  readonly documentUuid: string;
  /** Counted from 1. */
  readonly page: number;
  readonly stage: 'making' | 'shown' | 'none';
  /** Why there is no picture. */
  readonly why?: 'no-preview' | 'no-such-page' | 'gone' | 'not-fetched' | 'failed';
  /** The name under which the page can fetch the picture, as long as it is shown. */
  readonly picture?: string;
}

/** A document whose last release may have printed it. */
export interface DoubtView {
  readonly documentUuid: string;
  /** When its printing began, ISO 8601, UTC; absent if the ledger no longer knows. */
  readonly at?: string;
  /** The place of the terminal of another gateway that may have printed it. */
  readonly place?: string;
  /** Pages that did not come out by the printer's own count. They may be printed alone. */
  readonly missing?: PageRange;
  /** It certainly was printed there. */
  readonly isPrinted?: true;
  /** It is not known: the engine of the fleet has forgotten, and not every gateway has reported its prints yet. */
  readonly isAskedFor?: true;
}

/** How the person wants documents that offer it, if they say nothing else. */
export interface DefaultsView {
  readonly kept?: Defaults;
}

/** Amounts are decimals as text: `3.20`. */
export interface BalanceView {
  readonly balance: string;
  /** The cost of all documents that fit, together. */
  readonly cost: string;
  readonly fitting: number;
  readonly tooDear: number;
  /** In the order in which the documents would be printed. */
  readonly costs: readonly { readonly cost: string; readonly fits: boolean }[];
}

export interface TerminalViewSource {
  current(): TerminalView;
  /** Calls back after every change. The returned function ends that. */
  onChange(listener: () => void): () => void;
}
