/** The state of a printer in a few words, what a person in front can do about it, and the names of several printers. */
import type { PrinterView, TroubleView } from '../domain/terminal/terminal-view.ts';
import type { SentenceKey } from './message.ts';
import { needWords, sayNeed } from './notice-words.ts';
import type { Phrases } from './phrases.ts';
import type { Shown } from './shown.ts';

export const lampWords: Readonly<Record<PrinterView['lamp'], SentenceKey>> = {
  ready: 'printerReady',
  busy: 'printerBusy',
  'needs-attention': 'printerNeedsAttention',
  unreachable: 'printerAway',
};

export interface PrinterWords {
  readonly what: string;
  readonly todo: string;
  /** Both sentences, for people who listen. */
  readonly whole: string;
}

/** The obstacle in the words of the printer's need. If there is no need, in its own words. */
export function troubleWords({ code, needs: need }: TroubleView, words: Phrases): PrinterWords {
  const lamp = code === 'printer-unreachable' ? 'unreachable' : 'needs-attention';
  const isOfPrinter = lamp === 'unreachable' || code === 'printer-not-ready';
  const said = isOfPrinter ? printerWords({ lamp, ...(need && { needs: need }) }, words) : undefined;
  const what = words.sayNotice({ code }, '');
  // A printer that is away has one sentence.
  return said && said.todo !== ''
    ? said
    : { what: said?.whole ?? what, todo: '', whole: said?.whole ?? what };
}

/** `undefined` while it prints, or could print. A printer that prints may still need something. */
export function printerWords({ lamp, needs: need }: PrinterView, { say }: Phrases): PrinterWords | undefined {
  if (lamp === 'unreachable') return { what: say('printerAway'), todo: '', whole: say('printerUnreachable') };
  if (need === undefined && lamp !== 'needs-attention') return undefined;
  const { what, todo } = needWords[need ?? 'somebody'];
  return { what: say(what), todo: say(todo), whole: sayNeed(need ?? 'somebody', say) };
}

/** The printer for the next prints. */
export const printerNow = (frame: Shown): PrinterView | undefined => printerAt(frame, frame.chosenPrinter);

/** Without a name it is the default printer. */
export function printerAt(
  { printer, printers = [] }: Shown,
  name: string | undefined,
): PrinterView | undefined {
  const named = printers.find((one) => one.name === name);
  return named ? named.is : printer;
}

/** `undefined` if there is only one printer, because then no name is needed. */
export const nameOf = ({ printers = [] }: Shown, name: string | undefined): string | undefined =>
  name ?? printers[0]?.name;

export const insteadWords: Readonly<Record<NonNullable<Shown['instead']>['why'], SentenceKey>> = {
  trouble: 'insteadTrouble',
  color: 'insteadColor',
  'two-sided': 'insteadTwoSided',
  paper: 'insteadPaper',
  format: 'insteadFormat',
};

const canPrint = ({ is }: { readonly is?: PrinterView }): boolean =>
  is?.lamp === 'ready' || is?.lamp === 'busy';

/** A printer that can print, if the default one cannot. */
export const standInOf = ({ printers: [first, ...others] = [] }: Shown): string | undefined =>
  first?.is && !canPrint(first) ? others.find(canPrint)?.name : undefined;
