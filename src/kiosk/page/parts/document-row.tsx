/** One document of the list, and what can be done about it. A row is drawn anew only when something of it has changed. */
import { useMemo } from 'preact/hooks';
import type { DocumentView } from '../../../domain/terminal-view.ts';
import type { ChoiceStep } from '../choice.ts';
import { isSelectable } from '../choice.ts';
import { useWords } from '../languages/words.ts';
import type { Wish } from '../terminal-link.ts';
import { DocumentFacts } from './document-facts.tsx';
import { Icon } from './icon.tsx';

export interface RowActions {
  /** Both are the same from one frame to the next. */
  readonly choose: (step: ChoiceStep) => void;
  readonly send: (wish: Wish) => Promise<unknown>;
}

interface DocumentRowProps extends RowActions {
  readonly document: DocumentView;
  readonly isSelected: boolean;
  /** When it may have printed, ISO 8601. */
  readonly doubtAt: string | undefined;
}

export function DocumentRow({ document, isSelected, doubtAt, choose, send }: DocumentRowProps) {
  const words = useWords();
  return useMemo(() => {
    const { say } = words;
    const { uuid, name } = document;
    const isOpen = isSelectable(document);
    return (
      <li class={`row ${document.standing}`}>
        <label class="what">
          <input
            type="checkbox"
            checked={isSelected}
            disabled={!isOpen}
            onChange={() => choose({ type: 'toggle', uuid })}
          />
          <span class="words">
            <span class="name">
              <bdi>{name}</bdi>
            </span>
            <DocumentFacts document={document} />
            <Reason document={document} doubtAt={doubtAt} />
          </span>
        </label>
        {document.standing === 'may-have-printed' && (
          <span class="doubt">
            <button type="button" onClick={() => void send({ command: 'it-is-there', documentUuid: uuid })}>
              {say('itIsThere')}
            </button>
            <button type="button" onClick={() => void send({ command: 'print-again', documentUuid: uuid })}>
              {say('printAgain')}
            </button>
          </span>
        )}
        {isOpen && (
          <button
            type="button"
            class="round"
            aria-label={say('deleteOne', { name })}
            onClick={() => choose({ type: 'delete', uuid })}
          >
            <Icon name="bin" />
          </button>
        )}
      </li>
    );
    // Every frame brings documents of its own, mostly the same ones.
  }, [words, JSON.stringify(document), isSelected, doubtAt, choose, send]);
}

/** Why it is not like the others, where it is not. */
function Reason({ document, doubtAt }: Pick<DocumentRowProps, 'document' | 'doubtAt'>) {
  const { say, time } = useWords();
  switch (document.standing) {
    case 'unavailable':
      return <span class="reason">{say('unavailable')}</span>;
    case 'printing':
      return <span class="reason">{say('beingPrinted')}</span>;
    case 'may-have-printed':
      return (
        <span class="reason">
          {doubtAt === undefined ? say('mayHavePrinted') : say('mayHavePrintedAt', { time: time(doubtAt) })}
        </span>
      );
    default:
      return document.fits === false ? <span class="reason">{say('tooDear')}</span> : null;
  }
}
