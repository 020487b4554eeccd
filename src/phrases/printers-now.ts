/** Which of several printers is meant, and how it is: the one that is picked, or where a document is printed. */
import type { PrinterView } from '../domain/terminal/terminal-view.ts';
import type { SentenceKey } from './message.ts';
import type { Shown } from './shown.ts';

/** Of where things would be printed now. */
export const printerNow = (frame: Shown): PrinterView | undefined => printerAt(frame, frame.chosenPrinter);

/** Without a name it is the default. */
export function printerAt(
  { printer, printers = [] }: Shown,
  name: string | undefined,
): PrinterView | undefined {
  const named = printers.find((one) => one.name === name);
  return named ? named.is : printer;
}

/** `undefined` where there is one printer, which nobody has to tell from another. */
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

/** Where the default one cannot print, and another one can. */
export const standInOf = ({ printers: [first, ...others] = [] }: Shown): string | undefined =>
  first?.is && !canPrint(first) ? others.find(canPrint)?.name : undefined;
