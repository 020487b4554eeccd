/** A card is about to be dropped: nobody does that by a slip of the finger. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useWords } from '../languages/words.ts';

interface DropQuestionProps {
  readonly onDrop: () => void;
  readonly onClose: () => void;
}

export function DropQuestion({ onDrop, onClose }: DropQuestionProps) {
  const { say } = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  const back = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
    back.current?.focus();
  }, []);
  const close = (): void => dialog.current?.close();
  return (
    <dialog ref={dialog} aria-labelledby="drop-question" onClose={onClose}>
      <h2 id="drop-question">{say('dropQuestion')}</h2>
      <p>{say('dropQuestionHint')}</p>
      <div class="actions">
        <button ref={back} type="button" class="quiet" onClick={close}>
          {say('back')}
        </button>
        <button
          type="button"
          class="primary"
          onClick={() => {
            close();
            onDrop();
          }}
        >
          {say('dropCard')}
        </button>
      </div>
    </dialog>
  );
}
