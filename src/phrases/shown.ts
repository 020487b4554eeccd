/** What the phrases are about: the view of a terminal, or the frame of it that a screen was told. */
import type { Notice } from '../domain/terminal/notice.ts';
import type { TerminalView } from '../domain/terminal/terminal-view.ts';

/** The words of a notice are in the phrases. */
export type NoticeShown = Pick<Notice, 'code' | 'params' | 'needs'>;

export interface Shown extends Pick<TerminalView, 'generation' | 'state' | 'sentence'>, Partial<Details> {
  readonly notice?: NoticeShown;
  readonly account?: { readonly notice?: NoticeShown };
  /** Of the view from a desk, where nothing can be done. */
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
