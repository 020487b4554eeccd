/** What a printer needs, and what somebody in front can do about it. */
import type { Notice } from '../domain/terminal/notice.ts';
import type { PrinterView } from '../domain/terminal/terminal-view.ts';
import type { SentenceKey } from './message.ts';

interface NeedWords {
  readonly what: SentenceKey;
  readonly todo: SentenceKey;
}

type PrinterNeed = NonNullable<PrinterView['needs']>;
type Need = NonNullable<Notice['needs']>;

export const needWords: Readonly<Record<PrinterNeed, NeedWords>> = {
  paper: { what: 'needPaper', todo: 'needPaperDo' },
  jam: { what: 'needJam', todo: 'needJamDo' },
  door: { what: 'needDoor', todo: 'needDoorDo' },
  toner: { what: 'needToner', todo: 'needTonerDo' },
  tray: { what: 'needTray', todo: 'needTrayDo' },
  'output-full': { what: 'needOutput', todo: 'needOutputDo' },
  somebody: { what: 'printerNeedsAttention', todo: 'needSomebodyDo' },
  administrator: { what: 'needAdministrator', todo: 'needAdministratorDo' },
};

/** Both in a row. */
export function sayNeed(need: Need, say: (key: SentenceKey) => string): string {
  if (need === 'letters') return say('documentLetters');
  const { what, todo } = needWords[need];
  return `${say(what)}. ${say(todo)}`;
}
