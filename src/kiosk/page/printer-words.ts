/** How the printer is, in a few words, and what somebody in front can do about it. */
import type { PrinterNeed, PrinterView } from '../../domain/terminal-view.ts';
import type { SentenceKey } from './languages/message.ts';
import type { Words } from './languages/words.ts';

export const lampWords: Readonly<Record<PrinterView['lamp'], SentenceKey>> = {
  ready: 'printerReady',
  busy: 'printerBusy',
  'needs-attention': 'printerNeedsAttention',
  unreachable: 'printerAway',
};

const needs: Readonly<Record<PrinterNeed, { what: SentenceKey; todo: SentenceKey }>> = {
  paper: { what: 'needPaper', todo: 'needPaperDo' },
  jam: { what: 'needJam', todo: 'needJamDo' },
  door: { what: 'needDoor', todo: 'needDoorDo' },
  toner: { what: 'needToner', todo: 'needTonerDo' },
  tray: { what: 'needTray', todo: 'needTrayDo' },
  'output-full': { what: 'needOutput', todo: 'needOutputDo' },
  somebody: { what: 'printerNeedsAttention', todo: 'needSomebodyDo' },
};

export interface PrinterWords {
  readonly what: string;
  readonly todo: string;
  /** Both, for who listens. */
  readonly whole: string;
}

/** `undefined` while it prints, or would. A printer that prints on may need something too. */
export function printerWords({ lamp, needs: need }: PrinterView, { say }: Words): PrinterWords | undefined {
  if (lamp === 'unreachable') return { what: say('printerAway'), todo: '', whole: say('printerUnreachable') };
  if (need === undefined && lamp !== 'needs-attention') return undefined;
  const { what, todo } = needs[need ?? 'somebody'];
  return { what: say(what), todo: say(todo), whole: `${say(what)}. ${say(todo)}` };
}
