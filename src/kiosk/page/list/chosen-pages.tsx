/** The pages of one document that are to be printed: all of them, or those that the person types. */
import { useState } from 'preact/hooks';
import type { PageRange } from '../../../domain/page-range.ts';
import { isSamePages, rangesIn, rangesText } from '../../../domain/page-range.ts';
import type { DocumentSettings } from '../document-settings.ts';
import { NumberPad } from '../keys/number-pad.tsx';
import { useWords } from '../languages/words.ts';
import { useEntryFocus } from '../screen.ts';

interface ChosenPagesProps {
  /** The number of pages of the document. */
  readonly of: number;
  readonly chosen: readonly PageRange[] | undefined;
  readonly onChange: (changed: Pick<DocumentSettings, 'chosenPages'>) => void;
}

export function ChosenPages({ of, chosen, onChange }: ChosenPagesProps) {
  const { say } = useWords();
  const [isOpen, setOpen] = useState(false);
  const choose = (ranges: readonly PageRange[] | undefined): void => {
    setOpen(false);
    const isPart = ranges !== undefined && !isSamePages(ranges, [{ from: 1, to: of }]);
    onChange({ chosenPages: isPart ? ranges : undefined });
  };
  return (
    <>
      <div class="option">
        <span id="pages-to-print">{say('pagesToPrint')}</span>
        <button
          type="button"
          class="pages"
          aria-describedby="pages-to-print"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {chosen ? rangesText(chosen) : say('allPages')}
        </button>
      </div>
      {isOpen && <TypedPages of={of} chosen={chosen} onChoose={choose} />}
    </>
  );
}

interface TypedPagesProps extends Pick<ChosenPagesProps, 'of' | 'chosen'> {
  /** `undefined`: all. */
  readonly onChoose: (ranges: readonly PageRange[] | undefined) => void;
}

function TypedPages({ of, chosen = [], onChoose }: TypedPagesProps) {
  const { say } = useWords();
  const [typed, setTyped] = useState(rangesText(chosen));
  const [isWrong, setWrong] = useState(false);
  const field = useEntryFocus<HTMLInputElement>();
  const edit = (text: string): void => {
    setWrong(false);
    setTyped(text);
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const ranges = rangesIn(typed, of);
    if (ranges) onChoose(ranges);
    else setWrong(true);
  };
  return (
    <form class="pages" autocomplete="off" onSubmit={submit}>
      <label>
        {say('pagesExample', { n: of })}
        <input
          ref={field}
          type="text"
          inputMode="none"
          autocomplete="off"
          maxLength={255}
          dir="ltr"
          value={typed}
          aria-invalid={isWrong}
          onInput={({ currentTarget }) => edit(currentTarget.value)}
        />
      </label>
      {isWrong && (
        <p class="warning" role="alert">
          {say('noSuchPages', { n: of })}
        </p>
      )}
      <NumberPad
        more={[',', '–']}
        onKey={(key) => edit(typed + key)}
        onErase={() => edit(typed.slice(0, -1))}
      />
      <div class="actions">
        <button type="button" class="quiet" onClick={() => onChoose(undefined)}>
          {say('allPages')}
        </button>
        <button type="submit" class="primary">
          {say('proceed')}
        </button>
      </div>
    </form>
  );
}
