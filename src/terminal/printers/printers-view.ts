/**
 * The printers in a terminal's view: the state of the default, the state of each if there are several, and which one is
 * picked.
 */
import type { TerminalView } from '../../domain/terminal/terminal-view.ts';
import type { TerminalContext } from '../context.ts';
import type { PrintersAtHand } from './at-hand.ts';
import { printerOf } from './at-hand.ts';
import { insteadOf } from './instead.ts';

/** Visible to everyone in the room. */
export function printersOf(printers: PrintersAtHand): Pick<TerminalView, 'printer' | 'printers'> {
  const printer = printers[0].view();
  const named = printers.flatMap((one) => {
    const is = one.view();
    return one.name === undefined ? [] : [{ name: one.name, ...(is && { is }) }];
  });
  return { ...(printer && { printer }), ...(named.length > 1 && { printers: named }) };
}

/** For the person in front. */
export function chosenOf(
  context: TerminalContext,
  printers: PrintersAtHand,
): Pick<TerminalView, 'chosenPrinter' | 'instead'> {
  const { name } = printerOf(printers, context);
  if (printers.length === 1 || name === undefined) return {};
  const instead = insteadOf(context, printers);
  return { chosenPrinter: name, ...(instead && { instead }) };
}
