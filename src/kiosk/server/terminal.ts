/** What the kiosk needs of a terminal. What is stale or out of place the terminal itself ignores, without a word (D2). */
import type { PersonsWord } from '../../domain/terminal/persons-word.ts';
import { isOffered } from '../../domain/terminal/persons-word.ts';
import type { TerminalViewSource } from '../../domain/terminal/terminal-view.ts';

export interface KioskTerminal {
  readonly view: TerminalViewSource;
  tell(word: PersonsWord): void;
  /** PNG, of that name in the view; `undefined`: it is shown no more. */
  picture(name: string): Buffer | undefined;
}

/** `false`, and nothing has happened, where the view does not offer it. */
export function obey(terminal: KioskTerminal, word: PersonsWord): boolean {
  if (!isOffered(word, terminal.view.current())) return false;
  terminal.tell(word);
  return true;
}
