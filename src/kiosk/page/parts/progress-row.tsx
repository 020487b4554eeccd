/** One document on its way: its name, where it is, and why it did not come out. */
import type { DocumentProgress } from '../../../domain/terminal-view.ts';
import type { SentenceKey } from '../languages/message.ts';
import { useWords } from '../languages/words.ts';
import type { IconName } from './icon.tsx';
import { Icon } from './icon.tsx';

interface ProgressRowProps {
  readonly progress: DocumentProgress;
}

const stages: Readonly<Record<DocumentProgress['stage'], { words: SentenceKey; icon: IconName }>> = {
  waiting: { words: 'stageWaiting', icon: 'waiting' },
  downloading: { words: 'stageDownloading', icon: 'waiting' },
  converting: { words: 'stageConverting', icon: 'waiting' },
  printing: { words: 'stagePrinting', icon: 'printer' },
  printed: { words: 'stagePrinted', icon: 'check' },
  'handed-over': { words: 'stageHandedOver', icon: 'check' },
  failed: { words: 'stageFailed', icon: 'warning' },
  unknown: { words: 'stageUnknown', icon: 'warning' },
};

export function ProgressRow({ progress }: ProgressRowProps) {
  const { say, sayNotice } = useWords();
  const { stage, page, pages, code } = progress;
  const { words, icon } = stages[stage];
  const isCounted = stage === 'printing' && page !== undefined && pages !== undefined;
  const where = isCounted ? say('stagePage', { page, pages }) : say(words);
  return (
    <li class={`row progress ${stage}`}>
      <Icon name={icon} />
      <span class="words">
        <span class="name">
          <bdi>{progress.name}</bdi>
        </span>
        {/* What is not known is said once, and with its reason where there is one. */}
        {!(stage === 'unknown' && code) && <span class="stage">{where}</span>}
        {code && <span class="reason">{sayNotice({ code }, where)}</span>}
      </span>
      {isCounted && <progress value={page} max={pages} aria-label={where} />}
    </li>
  );
}
