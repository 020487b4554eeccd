/** The input of the phrases: the view of a terminal, or the frame that a screen got. */
import type { Notice } from '../domain/terminal/notice.ts';
import type { TerminalView } from '../domain/terminal/terminal-view.ts';

/** Without the English sentence, because the phrases have the words. */
export type NoticeShown = Pick<Notice, 'code' | 'params' | 'needs'>;

export interface Shown extends Pick<TerminalView, 'generation' | 'state' | 'sentence'>, Partial<Details> {
  readonly notice?: NoticeShown;
  readonly account?: { readonly notice?: NoticeShown };
  /** For the view from a desk, where nothing can be done. */
  readonly looksOn?: true;
}

type Details = Pick<
  TerminalView,
  | 'readers'
  | 'outage'
  | 'printer'
  | 'printers'
  | 'chosenPrinter'
  | 'documents'
  | 'progress'
  | 'trouble'
  | 'instead'
  | 'notHere'
>;
