/** The costs of prints for the person in front, and how many of them their balance covers. */
import { printAmount } from '../../domain/amount.ts';
import { fittingOf } from '../../domain/balance.ts';
import type { BalanceView } from '../../domain/terminal/terminal-view.ts';
import type { TerminalContext } from '../context.ts';

export function balanceOf({ quotes }: Pick<TerminalContext, 'quotes'>): BalanceView | undefined {
  const fitting = fittingOf(quotes);
  if (!fitting) return undefined;
  const fits = fitting.costs.filter((one) => one.fits).length;
  return {
    balance: printAmount(fitting.balance),
    cost: printAmount(fitting.cost),
    fitting: fits,
    tooDear: fitting.costs.length - fits,
    costs: fitting.costs.map((one) => ({ cost: printAmount(one.cost), fits: one.fits })),
  };
}

export function fittingSentence({ cost, costs, fitting }: BalanceView, waiting: number): string {
  const [first] = costs;
  if (waiting === 1 && first) {
    return first.fits ? `Your document fits (${cost}).` : `Your document costs too much (${first.cost}).`;
  }
  // Quotes still come, and a very long list is never quoted as a whole.
  const quoted = costs.length < waiting ? `the first ${costs.length}` : waiting;
  return `${fitting} of ${quoted} documents fit (${cost}).`;
}
