/**
 * A gateway of the fleet that a person named by its name or its id. An unknown gateway ends the command with exit code
 * 1 and a similar name.
 */
import { printable } from '../core/text/printable.ts';
import { nearWord } from '../core/text/near-word.ts';
import { CommandFailed } from './failure.ts';

interface Called {
  readonly name: string;
  readonly id: string;
}

/** `where` and `others` complete the sentences: ` at the site main`, and the way to list the gateways. */
export function namedGateway<One extends Called>(
  all: readonly One[],
  wanted: string,
  { where = '', others }: { readonly where?: string; readonly others: string },
): One {
  const [found, another] = all.filter(({ name, id }) => name === wanted || id === wanted);
  if (!found) {
    const names = all.map(({ name }) => name);
    const near = nearWord(wanted, names);
    const meant = near === undefined ? '' : ` Did you mean ${printable(near)}?`;
    throw new CommandFailed(`There is no gateway ${printable(wanted)}${where}.${meant} ${others}`);
  }
  if (!another) return found;
  throw new CommandFailed(
    `Two gateways have the name ${printable(wanted)}. Give the id instead: ${found.id} or ${another.id}.`,
  );
}
