/** The notice below the headline. */
import type { ComponentChildren } from 'preact';
import type { Frame } from '../../frame.ts';
import { toneOf } from '../../../phrases/notice-words.ts';
import { useWords } from '../languages/words.ts';
import type { ScreenProps } from '../screen.ts';
import { Icon } from './icon.tsx';

const pictures = { good: 'check', neutral: 'info', bad: 'warning' } as const;

/** If the rows of the documents already have the reason, it is not repeated above them. */
export function Notices({ frame, send }: Pick<ScreenProps, 'frame' | 'send'>) {
  const { notice, progress = [] } = frame;
  if (progress.some(({ code }) => code === notice?.code)) return null;
  return (
    <NoticeLine frame={frame}>
      <LookAgain frame={frame} send={send} />
    </NoticeLine>
  );
}

/** The terminal also asks the service by itself, but a person who waits need not wait for that. */
export function LookAgain({ frame: { notice }, send }: Pick<ScreenProps, 'frame' | 'send'>) {
  const { say } = useWords();
  if (notice?.code !== 'list-stale') return null;
  return (
    <button type="button" onClick={() => void send({ command: 'look-again' })}>
      {say('tryAgain')}
    </button>
  );
}

/** News that came by itself. It lies over the list, so that the list does not move. */
export function News({ frame: { notice, sentence } }: { readonly frame: Frame }) {
  const { sayNotice } = useWords();
  return notice ? <p class="toast news">{sayNotice(notice, sentence)}</p> : null;
}

/** Shown before the person can choose anything. */
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

interface NoticeLineProps {
  readonly frame: Frame;
  /** Buttons for the notice. */
  readonly children?: ComponentChildren;
}

export function NoticeLine({ frame: { notice, sentence }, children }: NoticeLineProps) {
  const { sayNotice } = useWords();
  if (!notice) return null;
  const tone = toneOf(notice.code);
  return (
    <p class={`notice ${tone}`}>
      <Icon name={pictures[tone]} />
      <span>{sayNotice(notice, sentence)}</span>
      {children}
    </p>
  );
}
