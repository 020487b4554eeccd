/** What the list shows: the documents as they are searched and ordered, and what has become of each in this session. */
import { useMemo } from 'preact/hooks';
import type { DocumentProgress, DocumentView, DoubtView } from '../../../domain/terminal/terminal-view.ts';
import type { Frame } from '../../frame.ts';
import type { Choice } from '../choice.ts';
import { isSelectable, remaining, shown } from '../choice.ts';
import { useWords } from '../languages/words.ts';
import { isDone, resultsOf } from './document-result.tsx';
import { useInPlace } from './places.ts';

export interface Listed {
  readonly rows: readonly DocumentView[];
  /** Rows that only keep their place: they are listed no more. */
  readonly gone: ReadonlySet<string>;
  /** The rows without those, and without what is about to be deleted. */
  readonly found: readonly DocumentView[];
  /** Can be printed; and those of them that are ticked. */
  readonly open: readonly DocumentView[];
  readonly selected: readonly DocumentView[];
  /** By document: when it may have printed, and where; and how far its last release has come. */
  readonly doubts: ReadonlyMap<string, DoubtView>;
  readonly stages: ReadonlyMap<string, DocumentProgress>;
  /** Of documents that are listed no more. */
  readonly done: readonly DocumentProgress[];
  readonly notDone: readonly DocumentProgress[];
  readonly isSearching: boolean;
}

type Session = Pick<Frame, 'mayHavePrinted' | 'progress'>;

export function useListed(
  documents: readonly DocumentView[],
  choice: Choice,
  { mayHavePrinted = [], progress = [] }: Session,
): Listed {
  const { language } = useWords();
  const { order, query } = choice;
  const failed = new Set(progress.filter(({ stage }) => stage === 'failed').map((one) => one.documentUuid));
  const inOrder = useMemo(() => {
    const rows = shown(documents, choice, language.code);
    const isFirst = ({ uuid }: DocumentView) => order === 'as-sent' && failed.has(uuid);
    return [...rows.filter(isFirst), ...rows.filter((one) => !isFirst(one))];
  }, [documents, choice, language]);
  const open = remaining(documents, choice).filter(isSelectable);
  // Of a document that was released twice the last counts.
  const stages = new Map(progress.map((one) => [one.documentUuid, one]));
  const results = resultsOf([...stages.values()], new Set(documents.map(({ uuid }) => uuid)));
  const { rows, gone } = useInPlace(inOrder, `${order} ${query} ${language.code}`);
  return {
    rows,
    gone,
    found: remaining(inOrder, choice),
    open,
    selected: open.filter(({ uuid }) => choice.selected.has(uuid)),
    doubts: new Map(mayHavePrinted.map((one) => [one.documentUuid, one])),
    stages,
    done: results.filter(isDone),
    notDone: results.filter((one) => !isDone(one)),
    isSearching: query.trim() !== '',
  };
}
