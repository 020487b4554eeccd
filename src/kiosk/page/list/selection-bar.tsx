/** Below the list: the effect and the cost of Print, whether the balance is enough, and the button that prints. */
import type { DocumentView } from '../../../domain/terminal/terminal-view.ts';
import { printKey } from '../key-guard.ts';
import { useWords } from '../languages/words.ts';
import { billOf, sayTotal } from '../words/money.ts';

interface SelectionBarProps {
  /** The chosen documents, or without a choice all that can be printed. */
  readonly documents: readonly DocumentView[];
  readonly isChoice: boolean;
  readonly balance: string | undefined;
  readonly onSelect: (uuids: readonly string[]) => void;
  readonly onPrint: () => void;
  /** Black and white costs less. */
  readonly onPrintGrey: (document: DocumentView) => void;
}

const uuidsOf = (documents: readonly DocumentView[]): readonly string[] => documents.map(({ uuid }) => uuid);

export function SelectionBar(props: SelectionBarProps) {
  const { documents, isChoice, balance, onSelect, onPrint, onPrintGrey } = props;
  const words = useWords();
  const { say, money } = words;
  const { cost, fitting, isEnough } = billOf(documents, balance);
  const prices = [
    cost === undefined ? undefined : say('cost', { amount: money(cost) }),
    balance === undefined ? undefined : say('balance', { amount: money(balance) }),
  ].filter((price) => price !== undefined);
  const [first, second] = documents;
  const inGrey = first && !second && !isEnough && first.fitsInGrey ? first : undefined;
  return (
    <footer>
      <div class="bill">
        <p>
          {documents.length > 0 && sayTotal(documents, words)}
          {documents.length > 0 && prices.length > 0 && ' · '}
          <b>{prices.join(' · ')}</b>
        </p>
        {!isEnough && (
          <p class="warning">
            {fitting.length > 0 ? say('theseFit', { n: fitting.length }) : say('noneFits')}{' '}
            {inGrey && say('greyFits')}
          </p>
        )}
      </div>
      {inGrey ? (
        <button type="button" class="primary" onClick={() => onPrintGrey(inGrey)}>
          {say('printGrey')}
        </button>
      ) : !isEnough && fitting.length > 0 ? (
        <button type="button" class="primary" onClick={() => onSelect(uuidsOf(fitting))}>
          {say('selectFitting', { n: fitting.length })}
        </button>
      ) : (
        <button
          type="button"
          class="primary"
          aria-keyshortcuts={printKey}
          disabled={documents.length === 0 || !isEnough}
          onClick={onPrint}
        >
          {say(isChoice ? 'printSelected' : 'printAll', { n: documents.length })}
        </button>
      )}
    </footer>
  );
}
