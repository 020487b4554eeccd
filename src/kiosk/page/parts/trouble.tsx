/** The obstacle for the prints: the cause, what to do about it, and one button to try again. */
import type { ComponentChildren } from 'preact';
import type { TroubleView } from '../../../domain/terminal/terminal-view.ts';
import { useWords } from '../languages/words.ts';
import { troubleWords } from '../../../phrases/printer-words.ts';
import { Icon } from './icon.tsx';

interface TroubleProps {
  readonly trouble: TroubleView;
  /** Absent: the print continues by itself when the cause is gone. */
  readonly onAgain?: (documentUuids: readonly string[]) => void;
  /** Other buttons in its place. */
  readonly children?: ComponentChildren;
}

export function Trouble({ trouble, onAgain, children }: TroubleProps) {
  const words = useWords();
  const { what, todo } = troubleWords(trouble, words);
  const { documentUuids } = trouble;
  return (
    <div class="notice trouble">
      <Icon name="warning" />
      <p>
        {todo === '' ? (
          what
        ) : (
          <>
            <b>{what}</b>
            <br />
            {todo}
          </>
        )}
      </p>
      {onAgain && documentUuids.length > 0 && (
        <button type="button" onClick={() => onAgain(documentUuids)}>
          {words.say('tryAgain')}
        </button>
      )}
      {children}
    </div>
  );
}
