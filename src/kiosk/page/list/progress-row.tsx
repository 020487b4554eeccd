/** One document on its way: its name, its progress, the reason if it did not come out, and its code for support. */
import type { DocumentProgress, PrinterView } from '../../../domain/terminal/terminal-view.ts';
import type { SentenceKey } from '../../../phrases/message.ts';
import { useWords } from '../languages/words.ts';
import { haltOf, waitWords } from '../../../phrases/progress.ts';
import { DocumentName } from './document-name.tsx';
import { Failure, Reference } from './document-reason.tsx';
import type { IconName } from '../parts/icon.tsx';
import { Icon } from '../parts/icon.tsx';

interface ProgressRowProps {
  readonly progress: DocumentProgress;
  /** The printer of this document. */
  readonly printer?: PrinterView | undefined;
  /** The name of that printer, if there are several. */
  readonly at?: string | undefined;
}

const stages: Readonly<Record<DocumentProgress['stage'], { words: SentenceKey; icon: IconName }>> = {
  waiting: { words: 'stageWaiting', icon: 'waiting' },
  downloading: { words: 'stageDownloading', icon: 'fetch' },
  converting: { words: 'stageConverting', icon: 'waiting' },
  printing: { words: 'stagePrinting', icon: 'printer' },
  printed: { words: 'stagePrinted', icon: 'check' },
  'handed-over': { words: 'stageHandedOver', icon: 'sent' },
  failed: { words: 'stageFailed', icon: 'close' },
  unknown: { words: 'stageUnknown', icon: 'warning' },
};

export function ProgressRow({ progress, printer, at }: ProgressRowProps) {
  const { say, sayNotice } = useWords();
  const { stage, wait, page, pages, code } = progress;
  const { words, icon } = stages[stage];
  const isCounted = stage === 'printing' && page !== undefined && pages !== undefined;
  const halt = stage === 'printing' ? haltOf(printer) : undefined;
  const isStopped = halt === 'printingStopped';
  const where = isCounted
    ? say(isStopped ? 'stagePageStopped' : 'stagePage', { page, pages })
    : say(isStopped ? 'stageStopped' : wait ? waitWords[wait] : (halt ?? words));
  return (
    <li class={`row progress ${stage}`}>
      <Icon name={icon} />
      <span class="words">
        <DocumentName name={progress.name} />
        {stage === 'failed' ? (
          <Failure progress={progress} />
        ) : (
          <>
            {/* An unknown result is told once, with its reason if there is one. */}
            {code ? (
              <span class="reason">{sayNotice({ code }, where)}</span>
            ) : (
              <span class="stage">{where}</span>
            )}
            {at !== undefined && (
              <small>
                <bdi>{at}</bdi>
              </small>
            )}
            <Reference of={progress} />
          </>
        )}
      </span>
      {isCounted && <progress value={page} max={pages} aria-label={where} />}
    </li>
  );
}
