/** What a terminal knows of the conversation with the person in front, and what it hands to those who act for it. */
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

/** `slow`: it has not answered for a while, and nobody knows yet whether it is away. */
export type ServiceState = 'up' | 'slow' | 'down';

export type SessionEnd = 'released' | 'badge' | 'logout' | 'timeout' | 'stopped' | 'error';

export interface Session {
  readonly id: string;
  /** Whose badge it was, unless the person typed. */
  readonly card?: CardNumber;
  readonly login: Login;
  /** By a password, or by a badge and its PIN: not by a badge alone, nor by a name or number that others may know. */
  readonly isProven?: true;
}

/** A document whose last release may have printed it; what becomes of it, only a person says (B.1). */
export interface Doubtful {
  readonly document: Document;
  /** That release, and when it ended (ISO 8601, UTC), where the ledger still knows. */
  readonly releaseId: string;
  readonly at: string | undefined;
  /** Pages of it that did not come out, by the printer's own count; absent where that is not certain. */
  readonly missing?: PageRange;
  /** It was another member of the fleet that released it (F5). */
  readonly elsewhere?: HeldElsewhere;
}

/** Not to be had at the moment. */
export interface LeftAlone {
  readonly document: Document;
  readonly why: NonNullable<DocumentView['why']>;
  /** Where another member of the fleet prints it. */
  readonly place?: string;
}

/** The user's documents by what may happen to them without a further word. */
export interface Sorted {
  readonly releasable: readonly Document[];
  /** Perhaps printed already: left alone until the person says more. */
  readonly doubtful: readonly Doubtful[];
  readonly others: readonly LeftAlone[];
  /** The list was full; the person may find more of them elsewhere. */
  readonly mayBeMore: boolean;
  /** How many the list has under another name than theirs: they see none of them, and hear of it. */
  readonly underOtherName: number;
  /** The service does not let this user print at this printer: they may delete, and be told. */
  readonly isRefusedHere?: true;
}

/** By the document's uuid. */
export type Changes = ReadonlyMap<string, Change>;

/** Documents in the order they would be printed. */
export interface Choice {
  readonly session: Session;
  readonly documents: readonly Document[];
}

/** Of these the first have been quoted. */
export interface Quoted extends Choice {
  readonly quoted: number;
  /** Where they would be printed. */
  readonly printer: string | undefined;
}

/** `inBackground`: nobody waits for it. */
export interface Look {
  readonly session: Session;
  readonly inBackground: boolean;
}

/** A document to be printed. */
export interface Wish {
  readonly document: Document;
  /** The release that it explicitly repeats. */
  readonly again?: string;
  /** No more of it than that. */
  readonly picked?: PickedPages;
  readonly isAgainElsewhere?: true;
}

export interface Wishes {
  readonly session: Session;
  /** In this order. */
  readonly wishes: readonly Wish[];
}

/** What config and output port say at this moment. */
export interface TerminalSettings {
  readonly autoRelease: boolean;
  readonly logoutTimeout: Duration;
  readonly login: LoginOffer;
  /** Whether anybody can answer what the terminal asks: at a page of their own, or at the prompt. */
  readonly canBeAsked: boolean;
  /** Documents may be looked at before they are printed. */
  readonly preview: boolean;
  /** So many pages at once are printed without a question. */
  readonly askAbovePages: number;
  /** What a person may do with their own account at the page. */
  readonly account: AccountOffer;
}

/** What is of the person in front, and goes with them (I3). */
export interface PersonsContext {
  readonly session: Session | undefined;
  /** Chosen in this session. */
  readonly language: LanguageCode | undefined;
  readonly documents: Sorted;
  /** `stale`: it could not be fetched again, and is shown as it was. */
  readonly list: 'none' | 'fresh' | 'stale';
  /** They left the list to be printed or deleted, and were not: the next list has them again. */
  readonly returned: readonly Document[];
  /** The one of several that they picked; else the default. */
  readonly printer: string | undefined;
  /** What the person wants otherwise than it was sent; over every list of the session. */
  readonly changes: Changes;
  /** Those that the person changed by hand. */
  readonly touched: ReadonlySet<string>;
  /** Kept with the badge. */
  readonly defaults: Defaults | undefined;
  /** While they look at it. */
  readonly account: AccountContext | undefined;
  /** Deleted, or found in the tray: the service may list them for a while. */
  readonly dealtWith: ReadonlySet<string>;
  /** The person wants to know what waits by now. */
  readonly isLookAskedFor: boolean;
  /** Of the first documents that may be released, in their order; none where prints are not charged. */
  readonly quotes: readonly Quote[];
  /** All that may be released is to be, and then the session is over. */
  readonly wantsAll: boolean;
  /** Nothing was there at the first look, and what comes in is released at once. */
  readonly awaitsFirst: boolean;
  /** To be handed to the desk. */
  readonly wishes: readonly Wish[];
  /** Documents of this session whose release has not ended. */
  readonly releasing: readonly Document[];
  /** Of all that this session released so far. */
  readonly progress: SessionProgress;
  /** So many documents of others come before the next one of this session. */
  readonly before: number;
}

export interface TerminalContext extends PersonsContext {
  readonly authorized: boolean;
  /** Counts badges, words taken and sessions; everything shown carries it (D2, I3). */
  readonly generation: number;
  /** The badge that is being, is to be, or was logged in. */
  readonly card: CardNumber | undefined;
  /** What the login is tried with; forgotten as soon as it has its answer. */
  readonly credentials: Credentials | undefined;
  /** How often the PIN of this badge was refused. */
  readonly pinTries: number;
  readonly end: SessionEnd;
  /** The agent ends. */
  readonly isEnding: boolean;
  /** For the person who was just turned away, or did not get all that was wanted. */
  readonly notice: Notice | undefined;
  /** What the last call of the agent found. */
  readonly cloud: ServiceState;
  /** The call that the person waits for takes longer than is decent. */
  readonly isSlow: boolean;
  /** Whether a badge can be read at all. */
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
