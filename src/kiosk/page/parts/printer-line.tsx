/** The printer's need and what to do about it. Empty while the printer needs nothing. */
import type { PrinterView } from '../../../domain/terminal/terminal-view.ts';
import { useWords } from '../languages/words.ts';
import { printerWords } from '../../../phrases/printer-words.ts';
import { Icon } from './icon.tsx';

export function PrinterLine({ printer }: { readonly printer: PrinterView | undefined }) {
  const words = useWords();
  const said = printer && printerWords(printer, words);
  if (!said) return null;
  return (
    <p class="notice">
      <Icon name="printer" />
      <span>
        {said.todo === '' ? (
          said.whole
        ) : (
          <>
            <b>{said.what}</b>
            <br />
            {said.todo}
          </>
        )}
      </span>
    </p>
  );
}
