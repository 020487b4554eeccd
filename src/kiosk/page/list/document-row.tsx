/** One document of the list with its buttons. A row is drawn again only when one of its values has changed. */
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { DocumentProgress, DocumentView, DoubtView } from '../../../domain/terminal/terminal-view.ts';
import type { ChoiceStep } from '../choice.ts';
import { isSelectable } from '../choice.ts';
import { titleOf } from '../words/document-title.ts';
import { useWords } from '../languages/words.ts';
import type { Wish } from '../terminal-link.ts';
import { DocumentName } from './document-name.tsx';
import { hasOptions } from './document-options.tsx';
import { DocumentLine } from './document-reason.tsx';
import type { IconName } from '../parts/icon.tsx';
import { Icon } from '../parts/icon.tsx';

export interface RowActions {
  /** All of these stay the same from frame to frame. */
  readonly choose: (step: ChoiceStep) => void;
  readonly send: (wish: Wish) => Promise<unknown>;
  /** Opens the settings. */
  readonly onOptions?: (documentUuid: string) => void;
  /** Shows the pages. */
  readonly onPreview?: (documentUuid: string) => void;
}

interface DocumentRowProps extends RowActions {
  readonly document: DocumentView;
  readonly isSelected: boolean;
  /** It is deleted, or will be as soon as the time for undo is over. */
  readonly isDeleting?: boolean;
  /** The row only keeps its place, and has no buttons. */
  readonly isGone?: boolean;
  /** When and where it may have been printed. */
  readonly doubt: DoubtView | undefined;
  /** The progress of its last release in this session. */
  readonly progress?: DocumentProgress | undefined;
  /** The reason is already above the list. */
  readonly isReasonAbove?: boolean;
  /** The owner may not print here, but may delete it. */
  readonly isNotHere?: boolean;
}

/** In the place of the box, if the document cannot be ticked. */
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
    isDeleting = false,
    isGone = false,
    doubt,
    progress,
    isReasonAbove = false,
    isNotHere = false,
    choose,
    send,
    onOptions,
    onPreview,
  } = row;
  const words = useWords();
  const line = useRef<HTMLLIElement>(null);
  const height = useRef<number>(undefined);
  return useMemo(() => {
    const { uuid, name, standing, cost } = document;
    if (isDeleting) {
      return (
        <DeletedRow
          {...{ document, isGone }}
          height={height.current}
          onUndo={() => choose({ type: 'undo', uuid })}
        />
      );
    }
    const onDelete = (): void => {
      height.current = line.current?.getBoundingClientRect().height;
      choose({ type: 'delete', uuid });
    };
    const isOpen = isSelectable(document);
    const isTicked = isOpen && !isNotHere;
    const What = isTicked ? 'label' : 'span';
    return (
      <li ref={line} class={`row ${standing}`} inert={isGone}>
        <What class="what">
          {isTicked ? (
            <input type="checkbox" checked={isSelected} onChange={() => choose({ type: 'toggle', uuid })} />
          ) : (
            <Icon name={isOpen ? 'closed' : pictures[standing]} />
          )}
          <span class="words">
            <DocumentName name={name} />
            <DocumentLine {...{ document, doubt, progress, isReasonAbove }} />
          </span>
          {cost !== undefined && <span class="cost">{words.price(cost)}</span>}
        </What>
        {standing === 'may-have-printed' && (
          <DoubtButtons {...{ document, send, isNotHere }} missing={doubt?.missing} />
        )}
        {isOpen && (
          <RowButtons {...{ document, onDelete, onPreview }} onOptions={isNotHere ? undefined : onOptions} />
        )}
      </li>
    );
    // Every frame has new objects for the documents, but their values are mostly the same.
  }, [
    words,
    JSON.stringify([document, progress, doubt]),
    isSelected,
    isDeleting,
    isGone,
    isReasonAbove,
    isNotHere,
    choose,
    send,
    onOptions,
    onPreview,
  ]);
}

interface DeletedRowProps extends Pick<DocumentRowProps, 'document' | 'isGone'> {
  /** The height of the row before, so that the rows below do not move. Pixels. */
  readonly height: number | undefined;
  readonly onUndo: () => void;
}

/** The undo button is not in the place of the bin, so a double tap on the bin deletes only one document. */
function DeletedRow({ document: { name }, isGone, height, onUndo }: DeletedRowProps) {
  const { say } = useWords();
  const undo = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    // The bin had the focus, but the bin is removed.
    if (globalThis.document.activeElement === globalThis.document.body)
      undo.current?.focus({ preventScroll: true });
  }, []);
  return (
    <li
      class="row deleted"
      inert={isGone}
      style={{ blockSize: height === undefined ? 'auto' : `${height}px` }}
    >
      <button
        ref={undo}
        type="button"
        class="undo"
        aria-label={`${say('undo')}: ${titleOf(name).title}`}
        onClick={onUndo}
      >
        {say('undo')}
      </button>
      <span class="words">
        <DocumentName name={name} />
        <span class="reason" role="status">
          {say('deleted', { n: 1 })}
        </span>
      </span>
    </li>
  );
}

interface DoubtButtonsProps extends Pick<RowActions, 'send'> {
  readonly document: DocumentView;
  readonly missing: DoubtView['missing'];
  readonly isNotHere: boolean;
}

/** The labels name the document, because a person who only hears a button must know which document it is for. */
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

type RowButtonsProps = Pick<DocumentRowProps, 'document'> & {
  readonly onDelete: () => void;
  readonly onOptions: RowActions['onOptions'] | undefined;
  readonly onPreview: RowActions['onPreview'] | undefined;
};

function RowButtons({ document, onDelete, onOptions, onPreview }: RowButtonsProps) {
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
      <button type="button" class="round" aria-label={say('deleteOne', { name: title })} onClick={onDelete}>
        <Icon name="bin" />
      </button>
    </span>
  );
}
