/** The result of a document that is no longer in the list. Only a confirmed print is called "printed" (I12). */
import type { DocumentProgress } from '../../../domain/terminal/terminal-view.ts';
import { useWords } from '../languages/words.ts';
import { DocumentName } from './document-name.tsx';
import { Failure, Reference } from './document-reason.tsx';
import type { IconName } from '../parts/icon.tsx';
import { Icon } from '../parts/icon.tsx';

const pictures: Partial<Record<DocumentProgress['stage'], IconName>> = {
  printed: 'check',
  'handed-over': 'sent',
  failed: 'close',
};

export function DocumentResult({ progress }: { readonly progress: DocumentProgress }) {
  const { name, stage } = progress;
  return (
    <li class={`row result ${stage}`}>
      <Icon name={pictures[stage] ?? 'warning'} />
      <span class="words">
        <DocumentName name={name} />
        <Outcome progress={progress} />
      </span>
    </li>
  );
}

function Outcome({ progress }: { readonly progress: DocumentProgress }) {
  const { say, sayNotice } = useWords();
  const { stage, code } = progress;
  switch (stage) {
    case 'failed':
      return <Failure progress={progress} />;
    case 'printed':
      return <span class="stage">{say('stagePrinted')}</span>;
    case 'handed-over':
      return <span class="stage">{say('stageHandedOver')}</span>;
    default: {
      const look = say('stageUnknown');
      return (
        <span class="reason">
          {code ? sayNotice({ code }, look) : look}
          <Reference of={progress} />
        </span>
      );
    }
  }
}

/** Printed, or sent to a printer that gives no confirmation. */
export const isDone = ({ stage }: DocumentProgress): boolean =>
  stage === 'printed' || stage === 'handed-over';

const ends: ReadonlySet<DocumentProgress['stage']> = new Set(['printed', 'handed-over', 'failed', 'unknown']);

/** Ended documents that are no longer in the list. */
export function resultsOf(
  progress: readonly DocumentProgress[],
  listed: ReadonlySet<string>,
): readonly DocumentProgress[] {
  return progress.filter(({ documentUuid, stage }) => ends.has(stage) && !listed.has(documentUuid));
}
