/** The commands of a simulator: a table, searched by the first words of a line, and the list of it. */
import { table } from '../terminal-text/table.ts';

/**
 * `quit`: the person wants to leave. `mistake`: nothing was done. An empty text: the simulator prints the event itself.
 */
export interface Reply {
  readonly kind: 'done' | 'mistake' | 'quit';
  readonly text: string;
}

export interface ConsoleCommand<Act> {
  readonly name: readonly string[];
  readonly words: string;
  readonly does: string;
  readonly act: Act;
}

/** The person replaces the words in capitals. */
export function command<Act>(usage: string, does: string, act: Act): ConsoleCommand<Act> {
  const words = usage.split(' ');
  const name = words.filter((word) => /^[a-z]/.test(word));
  return { name, words: words.slice(name.length).join(' '), does, act };
}

/** The command of a line, and the words behind its name. */
export function commandIn<Act>(
  commands: readonly ConsoleCommand<Act>[],
  line: string,
): { readonly found: ConsoleCommand<Act>; readonly rest: readonly string[] } | undefined {
  const words = line.trim().split(/\s+/);
  const found = commands.find(({ name }) => name.every((word, index) => words[index] === word));
  return found && { found, rest: words.slice(found.name.length) };
}

export const commandList = (commands: readonly ConsoleCommand<unknown>[]): string =>
  table([
    ['COMMAND', 'DOES'],
    ...commands.map(({ name, words, does }) => [[...name, words].join(' ').trim(), does]),
  ]);
