/** A terminal that shows what a test says and keeps what it is told. */
import type { PromptedTerminal } from '../../src/prompt/prompt-conversation.ts';
import type { DocumentView, TerminalView } from '../../src/domain/terminal/terminal-view.ts';

export const greeting: TerminalView = {
  generation: 1,
  state: 'prompting',
  sentence: 'Hold your card to the reader.',
  waiting: 0,
};

export const documentView = (facts: Partial<DocumentView> = {}): DocumentView => ({
  uuid: 'doc-1',
  name: 'Report.pdf',
  pages: 3,
  copies: 1,
  color: false,
  sides: undefined,
  standing: 'releasable',
  ...facts,
});

export const documentViews = (count: number): readonly DocumentView[] =>
  Array.from({ length: count }, (_, index) =>
    documentView({ uuid: `doc-${index + 1}`, name: `Part ${index + 1}.pdf` }),
  );

export const listOf = (
  documents: readonly DocumentView[],
  facts: Partial<TerminalView> = {},
): TerminalView => ({
  generation: 2,
  state: 'choosing',
  sentence: 'Hold your card to the reader again to print.',
  waiting: documents.length,
  fullName: 'Anna Lind',
  documents,
  ...facts,
});

export interface ShownTerminal extends PromptedTerminal {
  readonly told: readonly (readonly [string, object])[];
  show(view: TerminalView): void;
}

export function promptedTerminal(first: TerminalView = greeting): ShownTerminal {
  const told: [string, object][] = [];
  const listeners = new Set<() => void>();
  let view = first;
  return {
    id: 'lobby',
    told,
    view: {
      current: () => view,
      onChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    show(next) {
      view = next;
      for (const listener of listeners) listener();
    },
    tell({ type, ...said }) {
      told.push([type, said]);
    },
  };
}
