/** A person picks one of several printers: for this session, and for what they print from then on. */
import type { Said } from '../../domain/terminal/persons-word.ts';
import type { TerminalContext } from '../context.ts';
import { asSaid, beginsCountdown } from '../endings.ts';
import type { PrintersAtHand } from './at-hand.ts';

/** In answer to what is shown. */
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

/** At the list: documents may cost something else there. */
export const picksPrinter = { ...picked, target: 'choosing', reenter: true } as const;

/** While others are printed, which stay where they are. */
export const picksForFurther = picked;
