/** A terminal that a person named. An unknown terminal ends the command with exit code 1 and a similar id. */
import { printable } from '../core/text/printable.ts';
import { nearWord } from '../core/text/near-word.ts';
import { CommandFailed } from './failure.ts';

/** A gateway may have hundreds of terminals. The first ones show the form of the ids. */
const mostNamed = 10;

export function namedTerminal<One extends { readonly id: string }>(
  terminals: readonly One[],
  id: string,
): One {
  const found = terminals.find((one) => one.id === id);
  if (found) return found;
  throw noSuchTerminal(id, terminals);
}

/** Suggests a similar id if there is one. `terminals` is absent if the terminals are not known. */
export function noSuchTerminal(id: string, terminals?: readonly { readonly id: string }[]): CommandFailed {
  const ids = (terminals ?? []).map((one) => one.id);
  const near = nearWord(id, ids);
  return new CommandFailed(
    [
      `There is no terminal ${printable(id)}.`,
      ...(near === undefined ? [] : [`Did you mean ${near}?`]),
      ...(terminals === undefined ? [] : [thoseOf(terminals)]),
    ].join(' '),
  );
}

export function thoseOf(terminals: readonly { readonly id: string }[]): string {
  const ids = terminals.slice(0, mostNamed).map((one) => one.id);
  const left = terminals.length - ids.length;
  return `Terminals: ${ids.join(', ') || 'none yet'}${left > 0 ? `, and ${left} more` : ''}.`;
}
