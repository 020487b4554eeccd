/** The rows: documents that were not printed, documents that wait, and finished ones. */
import { useEffect, useState } from 'preact/hooks';
import type { TroubleView } from '../../../domain/terminal/terminal-view.ts';
import type { Choice } from '../choice.ts';
import { useWords } from '../languages/words.ts';
import { moveInList } from '../list-keys.ts';
import { DocumentResult } from './document-result.tsx';
import type { RowActions } from './document-row.tsx';
import { DocumentRow } from './document-row.tsx';
import { DoneFold } from './done-fold.tsx';
import type { Listed } from './listed.ts';

/** This many rows fill any screen. They are drawn first, the others afterwards. */
const screenful = 24;

interface DocumentListProps extends RowActions {
  readonly listed: Listed;
  readonly choice: Choice;
  readonly trouble: TroubleView | undefined;
  /** No document waits any more. */
  readonly isAllDone: boolean;
  readonly isNotHere: boolean;
  readonly onScroll: () => void;
}

export function DocumentList(props: DocumentListProps) {
  const { listed, choice, trouble, isAllDone, isNotHere, onScroll, ...actions } = props;
  const { rows, gone, doubts, stages, done, notDone, isSearching } = listed;
  const { say } = useWords();
  const [drawn, setDrawn] = useState(screenful);
  useEffect(() => setDrawn(Number.POSITIVE_INFINITY), []);
  const results = (of: Listed['done']) =>
    of.map((one) => <DocumentResult key={one.documentUuid} progress={one} />);

  // A person who scrolls has finished typing. The browser reports a scroll by touch as a cancelled pointer.
  return (
    <ul
      class="documents"
      aria-label={say('yourDocuments')}
      onKeyDown={moveInList}
      onPointerCancel={onScroll}
      onWheel={onScroll}
    >
      {!isSearching && results(notDone)}
      {rows.slice(0, drawn).map((one) => (
        <DocumentRow
          key={one.uuid}
          document={one}
          isSelected={choice.selected.has(one.uuid)}
          isDeleting={choice.deleting.includes(one.uuid) || choice.deleted.has(one.uuid)}
          isGone={gone.has(one.uuid)}
          doubt={doubts.get(one.uuid)}
          progress={stages.get(one.uuid)}
          isReasonAbove={trouble?.documentUuids.includes(one.uuid) ?? false}
          isNotHere={isNotHere}
          {...actions}
        />
      ))}
      {!isSearching && (
        <DoneFold done={done} isAlone={isAllDone}>
          {results(done)}
        </DoneFold>
      )}
    </ul>
  );
}
