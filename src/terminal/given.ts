/**
 * What the machine of a terminal is given at its start: all that it may ask, and all that acts for it in the world. It
 * stays the same as long as the terminal lives. The file also has the data that goes there and comes back.
 */
import type { Clock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import type { Quote } from '../domain/balance.ts';
import type { CardNumber } from '../domain/card/card-number.ts';
import type { Change } from '../domain/document-changes.ts';
import type { Document } from '../domain/document.ts';
import type { LoginOffer } from '../domain/login.ts';
import type { PageRange, PickedPages } from '../domain/page-range.ts';
import type { CallOptions } from '../domain/ports/call.ts';
import type { HeldElsewhere } from '../domain/ports/claims.ts';
import type { KeptDefaults } from '../domain/ports/defaults.ts';
import type { Languages } from '../domain/ports/languages.ts';
import type { StickWord } from '../domain/terminal/persons-word.ts';
import type { DocumentView } from '../domain/terminal/terminal-view.ts';
import type { Credentials, Login } from '../domain/user.ts';
import type { AccountOffer, Altered, Deed, FoundAccount } from './person/account-context.ts';
import type { PrintersAtHand } from './printers/at-hand.ts';

export interface Given {
  readonly log: Log;
  readonly clock: Pick<Clock, 'monotonic'>;
  settings(): TerminalSettings;
  readonly printers: PrintersAtHand;
  readonly languages: Languages;
  /** How people want their documents if they say nothing else. */
  readonly defaults: KeptDefaults;
  readonly calls: Calls;
  readonly preview: {
    lookAt(wanted: LookedAt): void;
    lookAway(): void;
  };
  readonly stick: {
    /** Whether the view offers this word. */
    offers(said: StickWord): boolean;
    hear(said: StickWord): void;
  };
  /** A badge came and begins no login. Without the card if its number is not known. */
  ignoreCard(card: CardNumber | undefined): void;
  /** A document waits for a printer of this terminal, or is on its way to it. */
  isReleasing(): boolean;
  /** Hands one ticket per document to the release desk. The machine hears of each until it is done. */
  release(wanted: Wishes, as: AsWanted): void;
  /** The person found the pages. That is recorded, and the document is finished as after a completed release. */
  confirm(session: Session, found: Doubtful): void;
  /** Deletes in the cloud. The machine hears of a refusal. */
  discard(choice: Choice): void;
  /** The session is over. Nothing more of it is told here, and its owner counts as gone unless the agent stops. */
  forget(session: Session, agent: { readonly isEnding: boolean }): void;
}

/** The calls to the service. Each rejects with the `Problem` for the person. */
export interface Calls {
  login(typed: { readonly credentials: Credentials }, options: CallOptions): Promise<Session>;
  /** The badge becomes the badge of the session's user. */
  registerCard(
    wanted: { readonly session: Session; readonly card: CardNumber },
    options: CallOptions,
  ): Promise<void>;
  list(of: OfSession, options: CallOptions): Promise<Sorted>;
  /** As `list`, but leaves debts to the service alone. */
  look(wanted: Look, options: CallOptions): Promise<Sorted>;
  /** Tells the costs of one document after the other, as long as the service does. Returns how to end that. */
  quote(wanted: Quoted, tell: (quote: Quote) => void): () => void;
  readAccount(of: OfSession, options: CallOptions): Promise<FoundAccount>;
  /** Rejects if the credentials belong to another person than the session. */
  prove(
    typed: { readonly session: Session; readonly credentials: Credentials },
    options: CallOptions,
  ): Promise<void>;
  alterAccount(wanted: { readonly session: Session; readonly deed: Deed }): Promise<Altered>;
}

/** The values of the configuration and the output port at this moment. */
export interface TerminalSettings {
  readonly autoRelease: boolean;
  readonly logoutTimeout: Duration;
  readonly login: LoginOffer;
  /** Whether a person can answer the terminal's questions: at its page, or at the prompt. */
  readonly canBeAsked: boolean;
  readonly preview: boolean;
  /** A wish for more pages than this is asked about first. */
  readonly askAbovePages: number;
  /** The rights of a person over their own account at the page. */
  readonly account: AccountOffer;
}

export interface Session {
  readonly id: string;
  /** The badge of the session; absent if the person typed. */
  readonly card?: CardNumber;
  readonly login: Login;
  /**
   * Proven by a password, or by a badge and its PIN. A badge alone proves nothing, and neither does a name or number
   * that others may know.
   */
  readonly isProven?: true;
}

export interface OfSession {
  readonly session: Session;
}

/** A document whose last release may have printed it. Only a person can say what happened (B.1). */
export interface Doubtful {
  readonly document: Document;
  /** That release, and when it ended (ISO 8601, UTC), if the ledger still knows it. */
  readonly releaseId: string;
  readonly at: string | undefined;
  /** Pages that did not come out, by the printer's own count; absent if the count is not certain. */
  readonly missing?: PageRange;
  /** Set if another member of the fleet released it (F5). */
  readonly elsewhere?: HeldElsewhere;
}

/** A document that cannot be printed at the moment. */
export interface LeftAlone {
  readonly document: Document;
  readonly why: NonNullable<DocumentView['why']>;
  /** The place at which another member of the fleet prints it. */
  readonly place?: string;
}

/** The user's documents, sorted by what may happen to them without a further word. */
export interface Sorted {
  readonly releasable: readonly Document[];
  /** Perhaps printed already. They are left alone until the person says more. */
  readonly doubtful: readonly Doubtful[];
  readonly others: readonly LeftAlone[];
  /** The list was full, so the person may find more documents elsewhere. */
  readonly mayBeMore: boolean;
  /**
   * The number of documents in the list that have another user's name. The person is told the number, and sees none of
   * them.
   */
  readonly underOtherName: number;
  /**
   * The service does not let this user print at this printer. The user may delete documents, and is told the reason.
   */
  readonly isRefusedHere?: true;
}

/** The keys are the uuids of the documents. */
export type Changes = ReadonlyMap<string, Change>;

/** Documents in the order in which they would be printed. */
export interface Choice extends OfSession {
  readonly documents: readonly Document[];
}

/** The first `quoted` of the documents have a quote already. */
export interface Quoted extends Choice {
  readonly quoted: number;
  /** The printer that would print them. */
  readonly printer: string | undefined;
}

/** `inBackground`: no person waits for it. */
export interface Look extends OfSession {
  readonly inBackground: boolean;
}

/** A page of a document. */
export interface LookedAt extends OfSession {
  readonly document: Document;
  readonly page: number;
}

export interface Wish {
  readonly document: Document;
  /** The release that it explicitly repeats. */
  readonly again?: string;
  /** If set, only these pages are printed. */
  readonly picked?: PickedPages;
  readonly isAgainElsewhere?: true;
}

export interface Wishes extends OfSession {
  /** In the order of printing. */
  readonly wishes: readonly Wish[];
}

/** How the documents of a wish are printed. */
export interface AsWanted {
  /** The printer that the person picked, if they did. */
  readonly printer: string | undefined;
  readonly changes: Changes;
}
