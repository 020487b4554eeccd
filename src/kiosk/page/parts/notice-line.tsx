/** What happened, or what is in the way, below the headline. */
import type { Frame } from '../../frame.ts';
import { toneOf } from '../languages/notice-words.ts';
import { useWords } from '../languages/words.ts';
import { Icon } from './icon.tsx';

const pictures = { good: 'check', neutral: 'info', bad: 'warning' } as const;

/** Whose documents they are reads in their rows why they were not printed: nothing else is said above them. */
export function Notices({ frame }: { readonly frame: Frame }) {
  const { notice, progress = [] } = frame;
  if (progress.some(({ code }) => code === notice?.code)) return null;
  return <NoticeLine frame={frame} />;
}

/** What came by itself: said over the list, which stays where it is. */
export function News({ frame: { notice, sentence } }: { readonly frame: Frame }) {
  const { sayNotice } = useWords();
  return notice ? <p class="toast news">{sayNotice(notice, sentence)}</p> : null;
}

/** Said before anything can be chosen. */
export function NotHere({ frame: { notHere } }: { readonly frame: Frame }) {
  const { say } = useWords();
  if (!notHere) return null;
  return (
    <p class="notice bad">
      <Icon name={pictures.bad} />
      <span>{say('notHere')}</span>
    </p>
  );
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
