/** All that a terminal knows: what it is given, its own facts, and the facts of the person in front. */
import type { Quote } from '../domain/balance.ts';
import type { CardNumber } from '../domain/card/card-number.ts';
import type { Defaults } from '../domain/document-changes.ts';
import type { Document } from '../domain/document.ts';
import type { LanguageCode } from '../domain/language.ts';
import type { Notice } from '../domain/terminal/notice.ts';
import type { Credentials } from '../domain/user.ts';
import type { SessionProgress } from './session-progress.ts';
import type { Changes, Given, Session, Sorted, Wish } from './given.ts';
import type { AccountContext } from './person/account-context.ts';

/** `slow`: the service has not answered for a while, and it is not known yet whether it is away. */
export type ServiceState = 'up' | 'slow' | 'down';

export type SessionEnd = 'released' | 'badge' | 'logout' | 'timeout' | 'stopped' | 'error';

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
  /** When the session ends if nothing more happens, and its latest end; in monotonic milliseconds. */
  readonly endsAt: number;
  readonly latestEnd: number;
}

export interface TerminalContext extends PersonsContext {
  readonly given: Given;
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
  endsAt: 0,
  latestEnd: 0,
};

export const contextOf = (given: Given): TerminalContext => ({
  ...nobody,
  given,
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
});
