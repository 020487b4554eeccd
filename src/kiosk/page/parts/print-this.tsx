/** Prints the document of an open panel. The panel closes first. */
import type { RefObject } from 'preact';
import { useWords } from '../languages/words.ts';

interface PrintThisProps {
  readonly dialog: RefObject<HTMLDialogElement | null>;
  /** Absent if it cannot be printed. */
  readonly onPrint: (() => void) | undefined;
}

export function PrintThis({ dialog, onPrint }: PrintThisProps) {
  const { say } = useWords();
  if (!onPrint) return null;
  return (
    <button
      type="button"
      class="primary"
      onClick={() => {
        dialog.current?.close();
        onPrint();
      }}
    >
      {say('printAll', { n: 1 })}
    </button>
  );
}
