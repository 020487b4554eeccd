/** A printer's own report, as a person in front of it sees it: a lamp, and the need of the printer. */
import type { PrinterDescription } from '../ports/printer-description.ts';
import { needSentence, printerNeeds } from '../problem/printer-needs.ts';
import { foremostReason } from '../problem/printer-reasons.ts';
import type { Problem } from '../problem/problem.ts';
import { problemSentences } from '../problem/problem-sentences.ts';
import type { PrinterView } from '../terminal/terminal-view.ts';

/** For a printer that answers. */
export function printerViewOf({ ready, state, stateReasons }: PrinterDescription): PrinterView {
  if (ready) return { lamp: state === 'processing' ? 'busy' : 'ready' };
  const needs = foremostReason(stateReasons)?.need;
  return { lamp: 'needs-attention', ...(needs === undefined ? {} : { needs }) };
}

/** For a printer that could not be asked. It counts as away only if it is silent. */
export function viewOfFailure({ code }: Pick<Problem, 'code'>): PrinterView {
  if (code === 'printer-unreachable') return { lamp: 'unreachable' };
  return code === 'printer-busy' ? { lamp: 'busy' } : { lamp: 'needs-attention', needs: 'administrator' };
}

/** In English: the fault and the remedy; `undefined` if it prints, or could. */
export function printerSentence({ lamp, needs }: PrinterView): string | undefined {
  if (lamp === 'unreachable') return problemSentences.printerUnreachable;
  if (lamp !== 'needs-attention') return undefined;
  const need = needs ?? 'somebody';
  return `${needSentence(need)} ${printerNeeds[need].todo}`;
}

export const isSamePrinterView = (one: PrinterView | undefined, other: PrinterView): boolean =>
  one?.lamp === other.lamp && one.needs === other.needs;
