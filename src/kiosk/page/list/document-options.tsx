/**
 * The print settings of one document that its owner may change: those that save paper or money, its pages, and what is
 * done with the paper. Every touch counts at once. The panel shows the wish until the terminal says otherwise.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isTwoSided } from '../../../domain/document-changes.ts';
import type { Defaults, DocumentOptions as Allowed } from '../../../domain/document-changes.ts';
import type { DefaultsView, DocumentView } from '../../../domain/terminal/terminal-view.ts';
import type { DocumentSettings } from '../document-settings.ts';
import { settingsOf } from '../document-settings.ts';
import { titleOf } from '../words/document-title.ts';
import type { SentenceKey } from '../../../phrases/message.ts';
import { useWords } from '../languages/words.ts';
import type { Sent } from '../terminal-link.ts';
import { ChosenPages } from './chosen-pages.tsx';
import { Keep } from './kept-defaults.tsx';
import { DocumentName } from './document-name.tsx';
import { Icon } from '../parts/icon.tsx';
import { PaperWork } from './paper-work.tsx';
import { PrintThis } from '../parts/print-this.tsx';

interface DocumentOptionsProps {
  readonly document: DocumentView;
  readonly allowed: Allowed;
  readonly change: (settings: DocumentSettings) => Promise<Sent | undefined>;
  /** The settings that are kept with the badge. Absent if none can be kept. */
  readonly defaults: DefaultsView | undefined;
  readonly keep: (wanted: Defaults) => void;
  /** Absent if it cannot be printed. */
  readonly onPrint: (() => void) | undefined;
  readonly onClose: () => void;
}

const refusals = { 'not-possible': 'notPossible', 'not-sent': 'notSent' } as const satisfies Record<
  Exclude<Sent, 'done'>,
  SentenceKey
>;

export const hasOptions = ({ options }: DocumentView): boolean =>
  options !== undefined &&
  (options.grey ||
    options.twoSided ||
    options.mostCopies > 1 ||
    options.work !== undefined ||
    options.pages !== undefined ||
    options.otherPaper !== undefined);

export function DocumentOptions(props: DocumentOptionsProps) {
  const { document, allowed, change, defaults, keep, onPrint, onClose } = props;
  const { say, money } = useWords();
  const [refusal, setRefusal] = useState<SentenceKey>();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const { name, color, copies, cost } = document;
  const otherPaper = document.onPaper ?? allowed.otherPaper;

  const set = (changed: Partial<DocumentSettings>): void => {
    setRefusal(undefined);
    void change({ ...settingsOf(document), ...changed }).then(
      (sent) => sent && setRefusal(sent === 'done' ? undefined : refusals[sent]),
    );
  };
  const close = (): void => dialog.current?.close();

  return (
    // First closed and then removed, so that the focus returns to its earlier place.
    <dialog ref={dialog} class="options" aria-labelledby="options-of" onClose={onClose}>
      <h2 id="options-of" aria-label={say('options', { name: titleOf(name).title })}>
        <DocumentName name={name} />
      </h2>
      {allowed.mostCopies > 1 && (
        <CopiesChoice copies={copies} most={allowed.mostCopies} onChange={(next) => set({ copies: next })} />
      )}
      {allowed.pages !== undefined && (
        <ChosenPages of={allowed.pages} chosen={document.chosenPages} onChange={set} />
      )}
      {otherPaper !== undefined && (
        <Toggle
          label={say('fitToPaper', { paper: otherPaper })}
          isOn={document.onPaper !== undefined}
          onTurn={(isOn) => set({ onPaper: isOn ? otherPaper : undefined })}
        />
      )}
      {allowed.grey && (
        <Toggle label={say('monochrome')} isOn={!color} onTurn={(isOn) => set({ color: !isOn })} />
      )}
      {allowed.twoSided && (
        <Toggle
          label={say('bothSides')}
          isOn={isTwoSided(document.sides)}
          onTurn={(isOn) => set({ sides: isOn ? 'two-sided-long-edge' : 'one-sided' })}
        />
      )}
      <PaperWork document={document} onChange={set} />
      {refusal && (
        <p class="warning" role="alert">
          {say(refusal)}
        </p>
      )}
      <div class="foot">
        <p class="cost" role="status">
          {cost !== undefined && say('cost', { amount: money(cost) })}
        </p>
        {defaults && <Keep {...{ document, allowed, keep }} kept={defaults.kept} />}
        <button type="button" onClick={close}>
          {say('done')}
        </button>
        <PrintThis dialog={dialog} onPrint={onPrint} />
      </div>
    </dialog>
  );
}

interface CopiesChoiceProps {
  readonly copies: number;
  readonly most: number;
  readonly onChange: (copies: number) => void;
}

function CopiesChoice({ copies, most, onChange }: CopiesChoiceProps) {
  const { say, amount } = useWords();
  return (
    <div class="option" role="group" aria-label={say('howManyCopies')}>
      <span>{say('howManyCopies')}</span>
      <Step label="fewerCopies" icon="minus" isPossible={copies > 1} onPress={() => onChange(copies - 1)} />
      <output aria-label={say('copies', { n: copies })}>{amount(String(copies))}</output>
      <Step label="moreCopies" icon="plus" isPossible={copies < most} onPress={() => onChange(copies + 1)} />
    </div>
  );
}

interface StepProps {
  readonly label: SentenceKey;
  readonly icon: 'minus' | 'plus';
  readonly isPossible: boolean;
  readonly onPress: () => void;
}

/** At its end the button stays, because a removed button would lose the focus. */
function Step({ label, icon, isPossible, onPress }: StepProps) {
  const { say } = useWords();
  return (
    <button
      type="button"
      aria-label={say(label)}
      aria-disabled={!isPossible}
      onClick={() => isPossible && onPress()}
    >
      <Icon name={icon} />
    </button>
  );
}

interface ToggleProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onTurn: (isOn: boolean) => void;
}

const Toggle = ({ label, isOn, onTurn }: ToggleProps) => (
  <label class="option">
    <span>{label}</span>
    <input
      type="checkbox"
      role="switch"
      checked={isOn}
      onChange={({ currentTarget }) => onTurn(currentTarget.checked)}
    />
  </label>
);
