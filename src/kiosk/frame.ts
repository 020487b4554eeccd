/**
 * What the kiosk's event stream carries: one `Frame` after every change, as the data of a server-sent event, its `id`
 * the generation. Types for both ends; which stream gets the private fields is the server's affair.
 */
import type { Notice } from '../domain/terminal/notice.ts';
import type { OutageView, TerminalView } from '../domain/terminal/terminal-view.ts';

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
export interface PublicFrame
  extends Pick<
    TerminalView,
    | 'generation'
    | 'state'
    | 'readers'
    | 'printer'
    | 'printers'
    | 'sign'
    | 'currency'
    | 'offers'
    | 'typingSeconds'
    | 'asks'
  > {
  /** English; shown where the page has no words of its own. */
  readonly sentence: string;
  readonly notice?: FrameNotice;
  /** What is wrong is in the log. */
  readonly outage?: Omit<OutageView, 'code'>;
  /** Of the view from a desk: whoever reads it can do nothing there. */
  readonly looksOn?: true;
}

/** All else of a view is for the person in front; sentence and notice stand over the public ones. */
export interface PrivateFields extends Omit<TerminalView, Exclude<keyof PublicFrame, 'sentence'>> {
  readonly notice?: FrameNotice;
}

export type Frame = PublicFrame & Partial<PrivateFields>;

/** Its words are the page's own. */
export type FrameNotice = Pick<Notice, 'code' | 'params' | 'needs'>;
