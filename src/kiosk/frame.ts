/**
 * Types of the kiosk's event stream, for the server and the page. The stream carries a `Frame` after every change, as
 * the data of a server-sent event whose `id` is the generation. The server decides which stream gets the private
 * fields.
 */
import type { Notice } from '../domain/terminal/notice.ts';
import type { OutageView, TerminalView } from '../domain/terminal/terminal-view.ts';

/**
 * Event type of the heartbeat. Its data has no meaning. It is an event because a page cannot see the comments of a
 * stream (HTML standard, 9.2.6). It comes every 2 s during a session. After 5 s without any event, the page hides the
 * session.
 */
export const heartbeatEvent = 'heartbeat';

/**
 * Event type that tells a page that another page has taken over. Its data has no meaning. It is the last event of the
 * stream. The page opens a new stream only when a person asks for it or when no page is left.
 */
export const movedEvent = 'moved';

/**
 * Event type that tells a page without a turn that no other page is left, so it may come back. Its data has no meaning.
 */
export const freeEvent = 'free';

/**
 * Event type of the first event of every stream. Its data changes with the page's files, and the page then reloads
 * itself.
 */
export const buildEvent = 'build';

/**
 * Event type on the stream of a launched page. Its data is a name that each command must carry in the header
 * `pageHeader`.
 */
export const pageEvent = 'page';
export const pageHeader = 'platen-page';

/** A passer-by may see these fields: they contain nothing about a person (`public-words.ts`). */
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
  /** In English. The page shows it if it has no words of its own. */
  readonly sentence: string;
  readonly notice?: FrameNotice;
  /** The cause is only in the log. */
  readonly outage?: Omit<OutageView, 'code'>;
  /** Set for the view from a desk, which cannot send commands. */
  readonly looksOn?: true;
}

/** All other fields of a view are for the person in front. `sentence` and `notice` replace the public ones. */
export interface PrivateFields extends Omit<TerminalView, Exclude<keyof PublicFrame, 'sentence'>> {
  readonly notice?: FrameNotice;
}

export type Frame = PublicFrame & Partial<PrivateFields>;

/** Without a sentence, because the page has its own words. */
export type FrameNotice = Pick<Notice, 'code' | 'params' | 'needs'>;
