/** Something is about to be done that is not taken back: what it is, and the way back, on which the focus stands. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useWords } from '../languages/words.ts';

interface QuestionProps {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
  /** On the button that does it. */
  readonly deed: string;
  readonly onDeed: () => void;
  readonly onClose: () => void;
}

export function Question({ id, title, hint, deed, onDeed, onClose }: QuestionProps) {
  const { say } = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  const back = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
    // A second touch or Enter for the same button does nothing.
    back.current?.focus();
  }, []);
  const close = (): void => dialog.current?.close();
  return (
    // Closed first and taken out after: so the focus goes back to where it was.
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      <p>{hint}</p>
      <div class="actions">
        <button ref={back} type="button" class="quiet" onClick={close}>
          {say('back')}
        </button>
        <button
          type="button"
          class="primary"
          onClick={() => {
            close();
            onDeed();
          }}
        >
          {deed}
        </button>
      </div>
    </dialog>
  );
}
