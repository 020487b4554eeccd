/** A person picks a printer out of several: for this session, and for everything they print from then on. */
import type { Said } from '../../domain/terminal/persons-word.ts';
import type { TerminalContext } from '../context.ts';
import { asSaid, beginsCountdown } from '../endings.ts';
import type { PrintersAtHand } from './at-hand.ts';

/** The word answers the view that is shown. */
export const mayPick = (
  { generation }: Pick<TerminalContext, 'generation'>,
  said: Said<'printer'>,
  printers: PrintersAtHand,
): boolean =>
  said.generation === generation && printers.length > 1 && printers.some(({ name }) => name === said.printer);

const picked = {
  guard: { type: 'mayPick', params: asSaid<Said<'printer'>> },
  actions: [{ type: 'pickPrinter', params: asSaid<Said<'printer'>> }, 'applyDefaults', ...beginsCountdown],
} as const;

/** At the list. Documents may have other costs there. */
export const picksPrinter = { ...picked, target: 'choosing', reenter: true } as const;

/** While other documents print. Those stay at their printer. */
export const picksForFurther = picked;
