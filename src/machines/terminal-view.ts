/** What a terminal shows of itself: a state and a sentence, and of the person's documents their number only. */
import type { SnapshotFrom } from 'xstate';
import type { TerminalView } from '../domain/terminal-view.ts';
import type { terminalMachine } from './terminal.ts';

const sentences: Readonly<Record<string, string>> = {
  outOfService: 'This terminal is not signed in. Please use another one.',
  prompting: 'Hold your card to the reader.',
  authenticating: 'One moment, please.',
  listing: 'Looking for your documents.',
  choosing: 'Hold your card to the reader again to print.',
  releasing: 'Printing. Please wait for your pages.',
  leaving: 'Goodbye.',
  stopped: 'This terminal is being restarted.',
};

export function viewOf({ value, context }: SnapshotFrom<typeof terminalMachine>): TerminalView {
  const state: string = value;
  const nothing = value === 'choosing' && context.documents.releasable.length === 0;
  return {
    generation: context.generation,
    state,
    sentence: context.notice ?? (nothing ? 'There is nothing to print.' : (sentences[state] ?? '')),
    waiting: value === 'releasing' ? context.releasing.length : context.documents.releasable.length,
  };
}
