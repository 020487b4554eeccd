/** The question before a step that cannot be undone. The focus is on the way back. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useWords } from '../languages/words.ts';

interface QuestionProps {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
  /** The text of the button that does it. */
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
    // The focus is on the way back, so a second Enter confirms nothing.
    back.current?.focus();
  }, []);
  const close = (): void => dialog.current?.close();
  return (
    // First closed and then removed, so that the focus returns to its earlier place.
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
