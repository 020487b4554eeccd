/** One document of the list, and what can be done about it. A row is drawn anew only when something of it has changed. */
import { useMemo } from 'preact/hooks';
import type { DocumentProgress, DocumentView, DoubtView } from '../../../domain/terminal/terminal-view.ts';
import type { ChoiceStep } from '../choice.ts';
import { isSelectable } from '../choice.ts';
import { titleOf } from '../words/document-title.ts';
import { useWords } from '../languages/words.ts';
import type { Wish } from '../terminal-link.ts';
import { DocumentFacts } from './document-facts.tsx';
import { DocumentName } from './document-name.tsx';
import { hasOptions } from './document-options.tsx';
import { DocumentReason } from './document-reason.tsx';
import type { IconName } from '../parts/icon.tsx';
import { Icon } from '../parts/icon.tsx';

export interface RowActions {
  /** All are the same from one frame to the next. */
  readonly choose: (step: ChoiceStep) => void;
  readonly send: (wish: Wish) => Promise<unknown>;
  /** Opens what may be changed of it. */
  readonly onOptions?: (documentUuid: string) => void;
  /** Shows its pages. */
  readonly onPreview?: (documentUuid: string) => void;
}

interface DocumentRowProps extends RowActions {
  readonly document: DocumentView;
  readonly isSelected: boolean;
  /** When, and where, it may have printed. */
  readonly doubt: DoubtView | undefined;
  /** Of its last release in this session. */
  readonly progress?: DocumentProgress | undefined;
  /** Why it was not printed stands above the list. */
  readonly isToldAbove?: boolean;
  /** Its owner may not print here: they may delete it. */
  readonly isNotHere?: boolean;
}

/** In the place of the box, where nothing can be ticked. */
const pictures = {
  releasable: 'check',
  'may-have-printed': 'warning',
  unavailable: 'closed',
  printing: 'printer',
} as const satisfies Record<DocumentView['standing'], IconName>;

export function DocumentRow(row: DocumentRowProps) {
  const {
    document,
    isSelected,
    doubt,
    progress,
    isToldAbove = false,
    isNotHere = false,
    choose,
    send,
    onOptions,
    onPreview,
  } = row;
  const words = useWords();
  return useMemo(() => {
    const { uuid, name, standing } = document;
    const isOpen = isSelectable(document);
    const isTicked = isOpen && !isNotHere;
    const What = isTicked ? 'label' : 'span';
    return (
      <li class={`row ${standing}`}>
        <What class="what">
          {isTicked ? (
            <input type="checkbox" checked={isSelected} onChange={() => choose({ type: 'toggle', uuid })} />
          ) : (
            <Icon name={isOpen ? 'closed' : pictures[standing]} />
          )}
          <span class="words">
            <DocumentName name={name} />
            {/* The reason has their line, so that the rows below stay where they are. */}
            {document.why !== 'gone' && <DocumentFacts document={document} />}
            <DocumentReason {...{ document, doubt, progress, isToldAbove }} />
          </span>
        </What>
        {standing === 'may-have-printed' && (
          <DoubtButtons {...{ document, send, isNotHere }} missing={doubt?.missing} />
        )}
        {isOpen && (
          <RowButtons {...{ document, choose, onPreview }} onOptions={isNotHere ? undefined : onOptions} />
        )}
      </li>
    );
    // Every frame brings documents of its own, mostly the same ones.
  }, [
    words,
    JSON.stringify([document, progress, doubt]),
    isSelected,
    isToldAbove,
    isNotHere,
    choose,
    send,
    onOptions,
    onPreview,
  ]);
}

interface DoubtButtonsProps extends Pick<RowActions, 'send'> {
  readonly document: DocumentView;
  readonly missing: DoubtView['missing'];
  readonly isNotHere: boolean;
}

/** Whoever looked in the tray says which; whoever only hears a button hears of which document. */
function DoubtButtons({ document: { uuid, name }, missing, send, isNotHere }: DoubtButtonsProps) {
  const { say } = useWords();
  const { title } = titleOf(name);
  const answer = (words: string, wish: Wish) => (
    <button type="button" aria-label={`${words}: ${title}`} onClick={() => void send(wish)}>
      {words}
    </button>
  );
  return (
    <span class="doubt">
      {answer(say('itIsThere'), { command: 'it-is-there', documentUuid: uuid })}
      {missing &&
        !isNotHere &&
        answer(say(missing.from === missing.to ? 'printMissingOne' : 'printMissing', { ...missing }), {
          command: 'print-missing',
          documentUuid: uuid,
          ...missing,
        })}
      {!isNotHere && answer(say('printAgain'), { command: 'print-again', documentUuid: uuid })}
    </span>
  );
}

type RowButtonsProps = Pick<DocumentRowProps, 'document' | 'choose'> & {
  readonly onOptions: RowActions['onOptions'] | undefined;
  readonly onPreview: RowActions['onPreview'] | undefined;
};

function RowButtons({ document, choose, onOptions, onPreview }: RowButtonsProps) {
  const { say } = useWords();
  const { uuid } = document;
  const { title } = titleOf(document.name);
  return (
    <span class="actions">
      {onPreview && (
        <button
          type="button"
          class="round"
          aria-label={say('lookAt', { name: title })}
          aria-haspopup="dialog"
          onClick={() => onPreview(uuid)}
        >
          <Icon name="eye" />
        </button>
      )}
      {onOptions && hasOptions(document) && (
        <button
          type="button"
          class="round"
          aria-label={say('options', { name: title })}
          aria-haspopup="dialog"
          onClick={() => onOptions(uuid)}
        >
          <Icon name="options" />
        </button>
      )}
      <button
        type="button"
        class="round"
        aria-label={say('deleteOne', { name: title })}
        onClick={() => choose({ type: 'delete', uuid })}
      >
        <Icon name="bin" />
      </button>
    </span>
  );
}
