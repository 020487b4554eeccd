/** What a printer tells of itself, as a person in front of it is shown it: a lamp, and what the printer needs. */
import type { PrinterDescription } from './ports/printer-description.ts';
import { foremostReason } from './printer-reasons.ts';
import type { PrinterView } from './terminal-view.ts';

/** Of a printer that answers. */
export function printerViewOf({ ready, state, stateReasons }: PrinterDescription): PrinterView {
  if (ready) return { lamp: state === 'processing' ? 'busy' : 'ready' };
  const needs = foremostReason(stateReasons)?.need;
  return { lamp: 'needs-attention', ...(needs === undefined ? {} : { needs }) };
}

export const isSamePrinterView = (one: PrinterView | undefined, other: PrinterView): boolean =>
  one?.lamp === other.lamp && one.needs === other.needs;
