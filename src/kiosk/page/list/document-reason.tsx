/** Why a document is not like the others, where it is not: how far it is, or what became of it. */
import type { DocumentProgress, DocumentView } from '../../../domain/terminal/terminal-view.ts';
import type { SentenceKey } from '../languages/message.ts';
import { useWords } from '../languages/words.ts';

interface DocumentReasonProps {
  readonly document: DocumentView;
  /** When it may have printed, ISO 8601. */
  readonly doubtAt: string | undefined;
  /** Of its last release in this session. */
  readonly progress: DocumentProgress | undefined;
  /** Why it was not printed stands above the list. */
  readonly isToldAbove: boolean;
}

const reasons: Readonly<Record<NonNullable<DocumentView['why']>, SentenceKey>> = {
  'being-printed': 'whyBeingPrinted',
  'stored-elsewhere': 'whyStoredElsewhere',
  'already-printed': 'whyAlreadyPrinted',
  'set-aside': 'documentSetAside',
  'too-long': 'documentTooLong',
  gone: 'documentNotWaiting',
};

export function DocumentReason({ document, doubtAt, progress, isToldAbove }: DocumentReasonProps) {
  const { say, time } = useWords();
  const { standing, why, fits } = document;
  const failure =
    progress?.stage === 'failed' ? <Failure progress={progress} isToldAbove={isToldAbove} /> : null;
  switch (standing) {
    case 'unavailable':
      return (
        <>
          {failure}
          <span class="reason">{say(why === undefined ? 'unavailable' : reasons[why])}</span>
        </>
      );
    case 'printing':
      return <span class="reason">{say('beingPrinted')}</span>;
    case 'may-have-printed':
      return (
        <span class="reason">
          {doubtAt === undefined ? say('mayHavePrinted') : say('mayHavePrintedAt', { time: time(doubtAt) })}
          <Reference of={progress} />
        </span>
      );
    default:
      return (
        <>
          {failure}
          {fits === false && <span class="reason">{say('tooDear')}</span>}
        </>
      );
  }
}

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
  const why = code && !isToldAbove ? sayNotice({ code, ...(needs && { needs }) }, failed) : undefined;
  // Some sentences say it themselves.
  const isSaid = why?.startsWith(failed) ?? false;
  return (
    <span class="reason failed">
      {!isSaid && <b>{failed}</b>}
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
