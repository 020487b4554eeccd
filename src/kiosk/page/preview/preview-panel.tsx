/**
 * The pages of a document before the print, one at a time. The pictures come from the terminal. After the panel is
 * closed, no picture is left here or there.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { DocumentView, PreviewView } from '../../../domain/terminal/terminal-view.ts';
import type { SentenceKey } from '../../../phrases/message.ts';
import { useWords } from '../languages/words.ts';
import { DocumentName } from '../list/document-name.tsx';
import { Icon } from '../parts/icon.tsx';
import { PrintThis } from '../parts/print-this.tsx';
import type { Picture } from '../screen.ts';
import type { Sent, Wish } from '../terminal-link.ts';
import { titleOf } from '../words/document-title.ts';

interface PreviewPanelProps {
  readonly document: DocumentView;
  readonly preview: PreviewView | undefined;
  readonly send: (wish: Wish) => Promise<Sent>;
  readonly picture: Picture;
  /** Absent if it cannot be printed. */
  readonly onPrint: (() => void) | undefined;
  readonly onClose: () => void;
}

const reasons = {
  'no-preview': 'previewNoKind',
  'no-such-page': 'previewNoPage',
  'not-fetched': 'previewNotFetched',
  gone: 'documentGone',
  failed: 'previewFailed',
} as const satisfies Record<NonNullable<PreviewView['why']>, SentenceKey>;

export function PreviewPanel({ document, preview, send, picture, onPrint, onClose }: PreviewPanelProps) {
  const { say } = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  const [page, setPage] = useState(1);
  const [isRefused, setRefused] = useState(false);
  const { uuid, name, pages } = document;
  const turnTo = (next: number): void => {
    setPage(next);
    setRefused(false);
    void send({ command: 'preview', documentUuid: uuid, page: next }).then((sent) =>
      setRefused(sent !== 'done'),
    );
  };
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => turnTo(1), []);
  const close = (): void => {
    void send({ command: 'end-preview' });
    onClose();
  };
  const shown = preview?.documentUuid === uuid && preview.page === page ? preview : undefined;
  const isEnd = pages === undefined ? shown?.why === 'no-such-page' : page >= pages;

  return (
    // First closed and then removed, so that the focus returns to its earlier place.
    <dialog ref={dialog} class="preview" aria-labelledby="preview-of" onClose={close}>
      <div class="sheet">
        {shown?.picture === undefined ? (
          <p role="status">
            {say(isRefused ? 'notSent' : shown?.why ? reasons[shown.why] : 'previewMaking')}
          </p>
        ) : (
          <PagePicture key={shown.picture} name={shown.picture} page={page} picture={picture} />
        )}
      </div>
      <div class="beside">
        <h2 id="preview-of" aria-label={say('lookAt', { name: titleOf(name).title })}>
          <DocumentName name={name} />
        </h2>
        <div class="turning" role="group" aria-label={say('previewPages')}>
          <Turn label="previewBack" icon="back" isPossible={page > 1} onPress={() => turnTo(page - 1)} />
          <p role="status">
            {pages === undefined
              ? say('previewPage', { page })
              : say('previewPageOf', { page, pages: Math.max(page, pages) })}
          </p>
          <Turn label="previewOn" icon="on" isPossible={!isEnd} onPress={() => turnTo(page + 1)} />
        </div>
        <div class="actions">
          <button type="button" onClick={() => dialog.current?.close()}>
            {say('close')}
          </button>
          <PrintThis dialog={dialog} onPrint={onPrint} />
        </div>
      </div>
    </dialog>
  );
}

interface TurnProps {
  readonly label: SentenceKey;
  readonly icon: 'back' | 'on';
  readonly isPossible: boolean;
  readonly onPress: () => void;
}

/** At the last page the button stays, because a removed button would lose the focus. */
function Turn({ label, icon, isPossible, onPress }: TurnProps) {
  const { say } = useWords();
  return (
    <button
      type="button"
      class={`round ${icon}`}
      aria-label={say(label)}
      aria-disabled={!isPossible}
      onClick={() => isPossible && onPress()}
    >
      <Icon name={icon} />
    </button>
  );
}

/** The picture of a page. It is cleared when the page leaves the screen. */
interface PagePictureProps {
  readonly name: string;
  readonly page: number;
  readonly picture: Picture;
}

function PagePicture({ name, page, picture }: PagePictureProps) {
  const { say } = useWords();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    let isOver = false;
    const { current: target } = canvas;
    const paint = async (): Promise<void> => {
      const bitmap = await picture(name);
      if (bitmap && target && !isOver) {
        Object.assign(target, { width: bitmap.width, height: bitmap.height });
        target.getContext('2d')?.drawImage(bitmap, 0, 0);
      } else if (!isOver) setLost(true);
      bitmap?.close();
    };
    void paint();
    return () => {
      isOver = true;
      if (target) target.width = 0;
    };
  }, []);
  if (isLost) return <p role="alert">{say('notSent')}</p>;
  return <canvas ref={canvas} width={0} height={0} role="img" aria-label={say('pagePicture', { page })} />;
}
