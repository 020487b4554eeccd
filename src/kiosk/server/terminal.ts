/** The part of a terminal that the kiosk needs. The terminal itself silently ignores stale or misplaced words (D2). */
import type { PersonsWord } from '../../domain/terminal/persons-word.ts';
import { isOffered } from '../../domain/terminal/persons-word.ts';
import type { TerminalViewSource } from '../../domain/terminal/terminal-view.ts';

export interface KioskTerminal {
  readonly view: TerminalViewSource;
  tell(word: PersonsWord): void;
  /** The PNG of that name in the view; `undefined` if it is no longer shown. */
  picture(name: string): Buffer | undefined;
}

/** Gives `false`, without any effect, if the view does not offer the word. */
export function obey(terminal: KioskTerminal, word: PersonsWord): boolean {
  if (!isOffered(word, terminal.view.current())) return false;
  terminal.tell(word);
  return true;
}
