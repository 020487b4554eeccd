/**
 * What the kiosk's event stream carries: one `Frame` after every change, as the data of a server-sent event, its `id`
 * the generation. Types for both ends; which stream gets the private fields is the server's affair.
 */
import type { TypedWay } from '../domain/login.ts';
import type { AccountView } from '../domain/terminal/account-view.ts';
import type { StickView } from '../domain/terminal/stick-view.ts';
import type { Notice } from '../domain/terminal/notice.ts';
import type {
  BalanceView,
  DefaultsView,
  DocumentProgress,
  DocumentView,
  DoubtView,
  InsteadView,
  NamedPrinterView,
  OutageView,
  PreviewView,
  PrinterView,
  SignView,
  TroubleView,
} from '../domain/terminal/terminal-view.ts';

/**
 * Event type of the sign of life, with any data: a page is not told of the comments of a stream (HTML standard, 9.2.6).
 * Every 2 s while a session is open: 5 s without any event, and the page shows nothing of it any more.
 */
export const heartbeatEvent = 'heartbeat';

/**
 * Event type, with any data, by which a page learns that another one has taken over: it is the last of its stream, which
 * tells nothing private any more, and is not to be opened again before somebody asks for that, or no page is left.
 */
export const movedEvent = 'moved';

/** Event type, with any data, by which a page that another one took over from learns that none is left: it may come back. */
export const freeEvent = 'free';

/** Event type of the first event of every stream; its data changes with the page's files: then it is to be loaded anew. */
export const buildEvent = 'build';

/** Event type, on a launched page's stream, of the name that its commands have to bring in the header of that name. */
export const pageEvent = 'page';
export const pageHeader = 'platen-page';

/** A passer-by may see this: nothing in it is of one person (`public-words.ts`). */
export interface PublicFrame {
  readonly generation: number;
  readonly state: string;
  /** English; shown where the page has no words of its own. */
  readonly sentence: string;
  readonly readers?: 'down';
  readonly printer?: PrinterView;
  readonly printers?: readonly NamedPrinterView[];
  readonly sign?: SignView;
  readonly currency?: string;
  readonly outage?: OutageView;
  readonly offers?: readonly TypedWay[];
  readonly typingSeconds?: number;
  readonly asks?: 'pin' | 'enrollment';
  readonly notice?: FrameNotice;
  /** Of the view from a desk: whoever reads it can do nothing there. */
  readonly looksOn?: true;
}

/** For the person in front; they stand over the public ones of the same name. */
export interface PrivateFields {
  readonly sentence: string;
  readonly notice?: FrameNotice;
  readonly waiting: number;
  readonly endsInSeconds?: number;
  readonly documents?: readonly DocumentView[];
  readonly fullName?: string;
  readonly balance?: BalanceView;
  readonly mayHavePrinted?: readonly DoubtView[];
  readonly progress?: readonly DocumentProgress[];
  readonly trouble?: TroubleView;
  /** Which of several they print at, and which other one would do. */
  readonly chosenPrinter?: string;
  readonly instead?: InsteadView;
  readonly offersPreview?: true;
  readonly preview?: PreviewView;
  /** The stick that they put in. */
  readonly stick?: StickView;
  /** More pages at once are printed after a question. */
  readonly askAbovePages?: number;
  /** They may look at their own account; and what is shown of it. */
  readonly offersAccount?: true;
  readonly account?: AccountView;
  /** What they may keep with their badge. */
  readonly defaults?: DefaultsView;
  /** They may not print at this printer. */
  readonly notHere?: true;
  /** That was chosen with this badge the last time; there as soon as the badge was read. */
  readonly language?: string;
}

export type Frame = PublicFrame & Partial<PrivateFields>;

/** Its words are the page's own. */
export type FrameNotice = Pick<Notice, 'code' | 'params' | 'needs'>;
