/**
 * The line below the name of a document: its progress, its result, or the reason why it is not available. Otherwise its
 * properties.
 */
import type { DocumentProgress, DocumentView, DoubtView } from '../../../domain/terminal/terminal-view.ts';
import type { Notice, NoticeCode } from '../../../domain/terminal/notice.ts';
import type { SentenceKey } from '../../../phrases/message.ts';
import type { Words } from '../languages/words.ts';
import { workLine } from '../words/paper-words.ts';
import { useWords } from '../languages/words.ts';
import { isTwoSided } from '../../../domain/document-changes.ts';
import { rangesText } from '../../../domain/page-range.ts';

interface DocumentLineProps {
  readonly document: DocumentView;
  /** When it may have been printed, and where, if that was another gateway's printer. */
  readonly doubt: DoubtView | undefined;
  /** The progress of its last release in this session. */
  readonly progress: DocumentProgress | undefined;
  /** The reason is already above the list. */
  readonly isReasonAbove: boolean;
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

/** Each of these takes the place of the other, so that the rows below do not move. */
export function DocumentLine({ document, doubt, progress, isReasonAbove }: DocumentLineProps) {
  const words = useWords();
  const { say } = words;
  const { standing, why, place = '' } = document;
  const failure =
    progress?.stage === 'failed' ? <Failure progress={progress} isReasonAbove={isReasonAbove} /> : null;
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

/**
 * For faults of the service nothing is wrong with the document. No further try is under way, so the owner only reads
 * that the document still waits.
 */
const serviceFaults: ReadonlySet<NoticeCode> = new Set(['cloud-unreachable', 'cloud-busy', 'cloud-protocol']);

/** `Not printed`, with the reason if it is known. */
export function Failure({
  progress,
  isReasonAbove = false,
}: {
  readonly progress: DocumentProgress;
  readonly isReasonAbove?: boolean;
}) {
  const { say, sayNotice } = useWords();
  const { code, needs } = progress;
  const failed = say('stageFailed');
  const whyOf = ({ code: its, ...of }: Pick<Notice, 'code' | 'needs'>): string =>
    serviceFaults.has(its) ? say('notPrinted') : sayNotice({ code: its, ...of }, failed);
  const why = code && !isReasonAbove ? whyOf({ code, ...(needs && { needs }) }) : undefined;
  // Some sentences begin with the same words.
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

/** The code with which support finds it in the log. */
export function Reference({ of: progress }: { readonly of: DocumentProgress | undefined }) {
  const { say } = useWords();
  if (progress?.reference === undefined) return null;
  return <small> {say('reference', { code: progress.reference })}</small>;
}

/** The properties of a document in one line: pages, copies, colour, sides, paper and its work, and when it was sent. */

/** A line break comes after the point, not before it. */
const between = '\u00a0· ';

function DocumentFacts({ document }: { readonly document: DocumentView }) {
  const words = useWords();
  const { say, sent } = words;
  const {
    pages,
    chosenPages,
    copies,
    color,
    sides,
    paper = '',
    lacksPaper,
    work = {},
    sentAt,
    fits,
    fitsInGrey,
  } = document;
  const facts = [
    pages === undefined ? undefined : say('pages', { n: pages }),
    chosenPages && say('onlyPages', { pages: rangesText(chosenPages) }),
    copies > 1 ? say('copies', { n: copies }) : undefined,
    say(color ? 'color' : 'monochrome'),
    sides === undefined ? undefined : say(isTwoSided(sides) ? 'twoSided' : 'oneSided'),
    paper === '' ? undefined : paper,
    ...workLine(work, words),
  ];
  return (
    <span class="facts">
      {fits === false && (
        <span class="reason">{`${say(fitsInGrey ? 'greyFits' : 'tooDear')}${between}`}</span>
      )}
      {lacksPaper && <span class="reason">{`${say('lacksPaper', { paper })}${between}`}</span>}
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
