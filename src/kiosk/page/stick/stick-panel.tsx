/**
 * The files on a person's stick. The list comes from the terminal. A touched file goes on its way. After the panel is
 * closed, nothing of it is left here or there.
 */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { StickFileView, StickView, StickWhy } from '../../../domain/terminal/stick-view.ts';
import type { SentenceKey } from '../../../phrases/message.ts';
import type { Words } from '../languages/words.ts';
import { useWords } from '../languages/words.ts';
import { DocumentName } from '../list/document-name.tsx';
import type { ScreenProps } from '../screen.ts';
import { titleOf } from '../words/document-title.ts';

interface StickPanelProps extends Pick<ScreenProps, 'send'> {
  readonly stick: StickView;
}

const reasons = {
  'pulled-out': 'stickPulledOut',
  unreadable: 'stickUnreadable',
  'too-large': 'stickTooLarge',
  unfit: 'stickUnfit',
  locked: 'stickLocked',
  'no-queue': 'stickNoQueue',
  denied: 'stickDenied',
  'not-sent': 'stickNotSent',
  failed: 'stickFailed',
} as const satisfies Record<StickWhy, SentenceKey>;

export function StickPanel({ stick, send }: StickPanelProps) {
  const words = useWords();
  const { say } = words;
  const dialog = useRef<HTMLDialogElement>(null);
  const way = useRef<HTMLButtonElement>(null);
  const { stage, edition, files, isMore, percent } = stick;
  useLayoutEffect(() => dialog.current?.showModal(), []);
  // The touched button was removed.
  useLayoutEffect(() => way.current?.focus(), [stage]);
  async function close(): Promise<void> {
    const sent = await send({ command: 'close-stick' });
    if (sent !== 'done') dialog.current?.showModal();
  }
  return (
    <dialog
      ref={dialog}
      class="stick"
      aria-labelledby="stick-files"
      aria-busy={files === undefined}
      onClose={() => void close()}
    >
      <h2 id="stick-files">{say('stickFiles')}</h2>
      <p class={stick.why ? 'warning' : ''} role="status">
        {statusOf(stick, words)}
      </p>
      {stage === 'bringing' && <progress max={100} value={percent} aria-labelledby="stick-files" />}
      {files && (
        <ul>
          {files.map((file, at) => (
            <FileRow
              key={at}
              file={file}
              onBring={() => void send({ command: 'bring-file', file: at, edition })}
            />
          ))}
        </ul>
      )}
      {isMore && <p>{say('stickMore', { n: files?.length ?? 0 })}</p>}
      <button ref={way} type="button" class="primary" onClick={() => dialog.current?.close()}>
        {say('toTheList')}
      </button>
    </dialog>
  );
}

function statusOf({ stage, files, name, why }: StickView, { say }: Words): string {
  if (why) return say(reasons[why]);
  if (stage === 'reading') return say('stickReading');
  if (name !== undefined)
    return say(stage === 'bringing' ? 'stickBringing' : 'stickBrought', { name: titleOf(name).title });
  return say(files?.length === 0 ? 'stickNone' : 'stickTouch');
}

function FileRow({ file, onBring }: { readonly file: StickFileView; readonly onBring: () => void }) {
  const { locale } = useWords();
  const { folder, name, octets } = file;
  return (
    <li>
      <button type="button" onClick={onBring}>
        <DocumentName name={name} />
        <small>
          {folder !== '' && <bdi class="folder">{folder}</bdi>}
          <span>{sizeOf(octets, locale)}</span>
        </small>
      </button>
    </li>
  );
}

const kilo = 1000;

function sizeOf(octets: number, locale: string): string {
  const isLarge = octets >= kilo * kilo;
  const unit = {
    style: 'unit',
    unit: isLarge ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: isLarge ? 1 : 0,
  } as const;
  return new Intl.NumberFormat(locale, unit).format(octets / (isLarge ? kilo * kilo : kilo));
}
