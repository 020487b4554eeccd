/** Some documents are about to be deleted: how many, and the way back. */
import { useEffect } from 'preact/hooks';
import { after } from '../../../listener/page/clock.ts';
import { useWords } from '../languages/words.ts';

/** Time to think better of it. Milliseconds. */
const timeToUndo = 7_000;

interface UndoBarProps {
  readonly deleting: readonly string[];
  readonly onUndo: () => void;
  readonly onOver: () => void;
}

export function UndoBar({ deleting, onUndo, onOver }: UndoBarProps) {
  const { say } = useWords();
  // Another deletion gives all of them the whole time.
  useEffect(() => after(timeToUndo, onOver), [deleting]);
  return (
    <div class="undo" role="status">
      <p>{say('deleted', { n: deleting.length })}</p>
      <button type="button" onClick={onUndo}>
        {say('undo')}
      </button>
    </div>
  );
}
