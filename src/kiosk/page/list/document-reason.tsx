/** The line below the name of a document: how far it is, what became of it, or why it is not to be had; else what it is like. */
import type { DocumentProgress, DocumentView, DoubtView } from '../../../domain/terminal/terminal-view.ts';
import type { Notice, NoticeCode } from '../../../domain/terminal/notice.ts';
import type { SentenceKey } from '../../../phrases/message.ts';
import type { Words } from '../languages/words.ts';
import { useWords } from '../languages/words.ts';
import { isTwoSided } from '../../../domain/document-changes.ts';

interface DocumentLineProps {
  readonly document: DocumentView;
  /** When it may have printed, and where that was another gateway's printer. */
  readonly doubt: DoubtView | undefined;
  /** Of its last release in this session. */
  readonly progress: DocumentProgress | undefined;
  /** Why it was not printed stands above the list. */
  readonly isToldAbove: boolean;
}

const reasons: Readonly<Record<NonNullable<DocumentView['why']>, SentenceKey>> = {
  'being-printed': 'whyBeingPrinted',
  'being-printed-elsewhere': 'whyPrintedThere',
  'stored-elsewhere': 'whyStoredElsewhere',
  'already-printed': 'whyAlreadyPrinted',
  'set-aside': 'documentSetAside',
  'too-long': 'documentTooLong',
  gone: 'documentNotWaiting',
};

/** One takes the place of the other, so that the rows below stay where they are. */
export function DocumentLine({ document, doubt, progress, isToldAbove }: DocumentLineProps) {
  const words = useWords();
  const { say } = words;
  const { standing, why, place = '' } = document;
  const failure =
    progress?.stage === 'failed' ? <Failure progress={progress} isToldAbove={isToldAbove} /> : null;
  switch (standing) {
    case 'unavailable':
      return (
        <>
          {failure}
          <span class="reason">{say(why === undefined ? 'unavailable' : reasons[why], { place })}</span>
        </>
      );
    case 'printing':
      return <span class="reason">{say('beingPrinted')}</span>;
    case 'may-have-printed':
      return (
        <span class="reason">
          {doubt?.missing
            ? say('cameOut', { n: doubt.missing.from - 1, of: doubt.missing.to })
            : doubtWords(doubt, words)}
          <Reference of={progress} />
        </span>
      );
    default:
      return failure ?? <DocumentFacts document={document} />;
  }
}

function doubtWords(doubt: Partial<DoubtView> = {}, { say, time, ago }: Words): string {
  const { at, place, isPrinted, isAskedFor } = doubt;
  if (isAskedFor) return say('othersAreAsked');
  if (place === undefined) return at ? say('mayHavePrintedAt', { time: time(at) }) : say('mayHavePrinted');
  return say(isPrinted ? 'printedThere' : 'mayHavePrintedThere', { place, ago: at ? ago(at) : '' });
}

/** It was no fault of the document, and nobody goes on trying: it waits, and that is what its owner wants to know. */
const serviceFaults: ReadonlySet<NoticeCode> = new Set(['cloud-unreachable', 'cloud-busy', 'cloud-protocol']);

/** `Not printed`, and why, as far as that is known. */
export function Failure({
  progress,
  isToldAbove = false,
}: {
  readonly progress: DocumentProgress;
  readonly isToldAbove?: boolean;
}) {
  const { say, sayNotice } = useWords();
  const { code, needs } = progress;
  const failed = say('stageFailed');
  const whyOf = ({ code: its, ...of }: Pick<Notice, 'code' | 'needs'>): string =>
    serviceFaults.has(its) ? say('notPrinted') : sayNotice({ code: its, ...of }, failed);
  const why = code && !isToldAbove ? whyOf({ code, ...(needs && { needs }) }) : undefined;
  // Some sentences say it themselves.
  const isSaid = why?.startsWith(failed) ?? false;
  return (
    <span class="reason failed">
      {!isSaid && <em>{failed}</em>}
      {!isSaid && why && ' · '}
      {why}
      <Reference of={progress} />
    </span>
  );
}

/** What finds it in the log, for whoever asks for help. */
export function Reference({ of: progress }: { readonly of: DocumentProgress | undefined }) {
  const { say } = useWords();
  if (progress?.reference === undefined) return null;
  return <small> {say('reference', { code: progress.reference })}</small>;
}

/** A document in one line: pages, copies, colour, sides, paper, and when it was sent. */

/** Where the line breaks, it breaks after the point. */
const between = '\u00a0· ';

function DocumentFacts({ document }: { readonly document: DocumentView }) {
  const { say, sent } = useWords();
  const { pages, copies, color, sides, paper, sentAt, fits, fitsInGrey } = document;
  const facts = [
    pages === undefined ? undefined : say('pages', { n: pages }),
    copies > 1 ? say('copies', { n: copies }) : undefined,
    say(color ? 'color' : 'monochrome'),
    sides === undefined ? undefined : say(isTwoSided(sides) ? 'twoSided' : 'oneSided'),
    paper,
  ];
  return (
    <span class="facts">
      {fits === false && (
        <span class="reason">{`${say(fitsInGrey ? 'greyFits' : 'tooDear')}${between}`}</span>
      )}
      {facts.filter((fact) => fact !== undefined).join(between)}
      {sentAt !== undefined && (
        <>
          {between}
          <time dateTime={sentAt}>{sent(sentAt)}</time>
        </>
      )}
    </span>
  );
}
