/** What happened, or what is in the way, below the headline. */
import type { Frame } from '../../frame.ts';
import { toneOf } from '../languages/notice-words.ts';
import { useWords } from '../languages/words.ts';
import { Icon } from './icon.tsx';

const pictures = { good: 'check', neutral: 'info', bad: 'warning' } as const;

/** What came by itself: said over the list, which stays where it is. */
export function News({ frame: { notice, sentence } }: { readonly frame: Frame }) {
  const { sayNotice } = useWords();
  return notice ? <p class="toast news">{sayNotice(notice, sentence)}</p> : null;
}

export function NoticeLine({ frame: { notice, sentence } }: { readonly frame: Frame }) {
  const { sayNotice } = useWords();
  if (!notice) return null;
  const tone = toneOf(notice.code);
  return (
    <p class={`notice ${tone}`}>
      <Icon name={pictures[tone]} />
      <span>{sayNotice(notice, sentence)}</span>
    </p>
  );
}
