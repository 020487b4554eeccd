/**
 * The facts that a terminal has about the conversation with the person in front, and the data that it hands to the
 * calls that act for it.
 */
import type { Duration } from '../core/duration.ts';
import type { Quote } from '../domain/balance.ts';
import type { CardNumber } from '../domain/card/card-number.ts';
import type { Change, Defaults } from '../domain/document-changes.ts';
import type { Document } from '../domain/document.ts';
import type { PageRange, PickedPages } from '../domain/page-range.ts';
import type { LanguageCode } from '../domain/language.ts';
import type { LoginOffer } from '../domain/login.ts';
import type { HeldElsewhere } from '../domain/ports/claims.ts';
import type { Notice } from '../domain/terminal/notice.ts';
import type { DocumentView } from '../domain/terminal/terminal-view.ts';
import type { Credentials, Login } from '../domain/user.ts';
import type { AccountContext, AccountOffer } from './person/account-context.ts';
import type { SessionProgress } from '../release/session-progress.ts';

/** `slow`: the service has not answered for a while, and it is not known yet whether it is away. */
export type ServiceState = 'up' | 'slow' | 'down';

export type SessionEnd = 'released' | 'badge' | 'logout' | 'timeout' | 'stopped' | 'error';

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
export interface Choice {
  readonly session: Session;
  readonly documents: readonly Document[];
}

/** The first `quoted` of the documents have a quote already. */
export interface Quoted extends Choice {
  readonly quoted: number;
  /** The printer that would print them. */
  readonly printer: string | undefined;
}

/** `inBackground`: no person waits for it. */
export interface Look {
  readonly session: Session;
  readonly inBackground: boolean;
}

export interface Wish {
  readonly document: Document;
  /** The release that it explicitly repeats. */
  readonly again?: string;
  /** If set, only these pages are printed. */
  readonly picked?: PickedPages;
  readonly isAgainElsewhere?: true;
}

export interface Wishes {
  readonly session: Session;
  /** In the order of printing. */
  readonly wishes: readonly Wish[];
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

/** The facts of the person in front. They go when the person goes (I3). */
export interface PersonsContext {
  readonly session: Session | undefined;
  readonly language: LanguageCode | undefined;
  readonly documents: Sorted;
  /** `stale`: the list could not be fetched again, and is shown as it was. */
  readonly list: 'none' | 'fresh' | 'stale';
  /** Documents that left the list to be printed or deleted, but were not. The next list has them again. */
  readonly returned: readonly Document[];
  /** The printer that the person picked; if none was picked, the default is used. */
  readonly printer: string | undefined;
  /** How the person wants documents changed. Kept over every list of the session. */
  readonly changes: Changes;
  /** The documents that the person changed by hand. */
  readonly touched: ReadonlySet<string>;
  /** Kept with the badge. */
  readonly defaults: Defaults | undefined;
  /** Set while the person looks at the account. */
  readonly account: AccountContext | undefined;
  /** Documents that were deleted, or found in the tray. The service may still list them for a while. */
  readonly dealtWith: ReadonlySet<string>;
  /** The person wants to know which documents wait now. */
  readonly isLookAskedFor: boolean;
  /** Quotes for the first releasable documents, in their order. Empty if prints are not charged. */
  readonly quotes: readonly Quote[];
  /** All releasable documents are to be printed, and then the session ends. */
  readonly wantsAll: boolean;
  /** The first look found nothing. Documents that arrive now are released at once. */
  readonly awaitsFirst: boolean;
  /** Wishes that are still to be handed to the desk. */
  readonly wishes: readonly Wish[];
  /** Documents of this session whose release has not ended. */
  readonly releasing: readonly Document[];
  /** The progress of everything that this session released so far. */
  readonly progress: SessionProgress;
  /** The number of other people's documents before the next document of this session. */
  readonly before: number;
}

export interface TerminalContext extends PersonsContext {
  readonly authorized: boolean;
  /** Counts badges, words taken and sessions. Every view carries it (D2, I3). */
  readonly generation: number;
  /** The badge of this login: before, during and after it. */
  readonly card: CardNumber | undefined;
  /** The credentials of the login. They are forgotten as soon as the login has its answer. */
  readonly credentials: Credentials | undefined;
  /** How often the PIN of this badge was refused. */
  readonly pinTries: number;
  readonly end: SessionEnd;
  /** The agent is stopping. */
  readonly isEnding: boolean;
  /** For a person who was just turned away, or did not get everything they wanted. */
  readonly notice: Notice | undefined;
  /** The result of the agent's last call to the service. */
  readonly cloud: ServiceState;
  /** The call for which the person waits takes unusually long. */
  readonly isSlow: boolean;
  /** Whether any badge can be read. */
  readonly readers: 'up' | 'down';
  /** The service is to be told of the badge. */
  readonly isRelayed: boolean;
}

export const nobody: PersonsContext = {
  session: undefined,
  language: undefined,
  printer: undefined,
  documents: { releasable: [], doubtful: [], others: [], mayBeMore: false, underOtherName: 0 },
  list: 'none',
  returned: [],
  changes: new Map(),
  touched: new Set(),
  defaults: undefined,
  account: undefined,
  dealtWith: new Set(),
  isLookAskedFor: false,
  quotes: [],
  wantsAll: false,
  awaitsFirst: false,
  wishes: [],
  releasing: [],
  progress: [],
  before: 0,
};

export const atFirst: TerminalContext = {
  ...nobody,
  authorized: false,
  generation: 0,
  card: undefined,
  credentials: undefined,
  pinTries: 0,
  end: 'logout',
  isEnding: false,
  notice: undefined,
  cloud: 'up',
  isSlow: false,
  readers: 'up',
  isRelayed: false,
};
