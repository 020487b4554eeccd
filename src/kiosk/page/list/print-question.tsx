/** Many pages are about to be printed: how many, and the way back. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { DocumentView } from '../../../domain/terminal/terminal-view.ts';
import { useWords } from '../languages/words.ts';
import { sayTotal } from '../words/money.ts';

interface PrintQuestionProps {
  readonly documents: readonly DocumentView[];
  readonly onPrint: () => void;
  readonly onClose: () => void;
}

export function PrintQuestion({ documents, onPrint, onClose }: PrintQuestionProps) {
  const words = useWords();
  const { say } = words;
  const dialog = useRef<HTMLDialogElement>(null);
  const back = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
    // A second touch or Enter for the same button prints nothing.
    back.current?.focus();
  }, []);
  const close = (): void => dialog.current?.close();
  return (
    // Closed first and taken out after: so the focus goes back to where it was.
    <dialog ref={dialog} aria-labelledby="print-question" onClose={onClose}>
      <h2 id="print-question">{say('printMany')}</h2>
      <p>{sayTotal(documents, words)}</p>
      <div class="actions">
        <button ref={back} type="button" class="quiet" onClick={close}>
          {say('back')}
        </button>
        <button
          type="button"
          class="primary"
          onClick={() => {
            close();
            onPrint();
          }}
        >
          {say('printSelected', { n: documents.length })}
        </button>
      </div>
    </dialog>
  );
}
