/**
 * The documents that a session released, and how far each one is, as its person sees it. There is one entry per
 * document, with the last wish last. An entry stays when its release has ended, and goes with the session (I3).
 */
import type { Document } from '../domain/document.ts';
import type { Notice } from '../domain/terminal/notice.ts';
import { noticeOf } from '../domain/terminal/notice.ts';
import { problemKinds } from '../domain/problem/problem-kinds.ts';
import type { ProblemCode } from '../domain/problem/problem-kinds.ts';
import { shortReleaseId } from '../domain/release.ts';
import type { DocumentProgress } from '../domain/terminal/terminal-view.ts';
import type { ReleaseEnded, ReleaseEvent } from '../release/events.ts';

export type SessionProgress = readonly DocumentProgress[];

/** The stage of a document that is on its way. */
export type DocumentStage = Extract<ReleaseEvent, { type: 'stage' | 'page' }>;

/** `problem` says why the document did not come out for certain. */
export type DocumentEnd = Pick<ReleaseEnded, 'releaseId' | 'documentUuid' | 'stage' | 'problem'>;

/** The documents are at the desk now. A document that is released once more begins a new entry. */
export const withWishes = (
  progress: SessionProgress,
  documents: readonly Document[],
  printer: string | undefined,
): SessionProgress => [
  ...progress.filter(({ documentUuid }) => !documents.some(({ uuid }) => uuid === documentUuid)),
  ...documents.map(({ uuid, name }) => ({
    documentUuid: uuid,
    name,
    stage: 'waiting' as const,
    ...(printer !== undefined && { printer }),
  })),
];

/** How many documents were wished for, how many failed, and how many perhaps did not come out. */
export function outcomesOf(progress: SessionProgress) {
  const count = (wanted: DocumentProgress['stage']) =>
    progress.filter(({ stage }) => stage === wanted).length;
  return { documents: progress.length, notPrinted: count('failed'), unknown: count('unknown') };
}

/** The part of an entry that stays while its document comes on. */
const wishOf = ({ documentUuid, name, printer }: DocumentProgress) => ({
  documentUuid,
  name,
  ...(printer !== undefined && { printer }),
});

export const withStages = (progress: SessionProgress, news: readonly DocumentStage[]): SessionProgress =>
  progress.map((one) => {
    const next = news.find(({ documentUuid }) => documentUuid === one.documentUuid);
    return next ? { ...wishOf(one), ...shownOf(next) } : one;
  });

/** A page count implies the stage `printing`. */
const shownOf = (news: DocumentStage): Pick<DocumentProgress, 'stage' | 'wait' | 'page' | 'pages'> =>
  news.type === 'stage'
    ? { stage: news.stage, ...(news.wait && { wait: news.wait }) }
    : { stage: 'printing', page: news.page, ...(news.pages !== undefined && { pages: news.pages }) };

export const withEnd = (progress: SessionProgress, end: DocumentEnd): SessionProgress => {
  const { documentUuid, releaseId, stage, problem } = end;
  const code = codeTold(end);
  return progress.map((one) =>
    one.documentUuid === documentUuid
      ? {
          ...wishOf(one),
          stage,
          ...(code && { code }),
          ...(code === problem?.code && problem?.need && { needs: problem.need }),
          ...(isMissing({ stage }) && { reference: shortReleaseId(releaseId) }),
        }
      : one,
  );
};

/** An extra notice for a document that did not come out for certain. */
export function noticeOfEnd(end: DocumentEnd): Notice | undefined {
  const code = codeTold(end);
  if (end.problem?.code === code) return end.problem && noticeOf(end.problem);
  return code && { code, sentence: problemKinds[code].person };
}

/** The sentences of these problems already ask the person to look at the tray. */
const asksToLook: readonly ProblemCode[] = [
  'outcome-unknown',
  'print-unconfirmed',
  'printer-stalled',
  'transfer-broken',
  'ended-by-reset',
];

/** If a document may have printed, the person is never told to try again (I1). The log has the reason. */
function codeTold({ stage, problem }: DocumentEnd): ProblemCode | undefined {
  const code = problem?.code;
  return stage === 'unknown' && code && !asksToLook.includes(code) ? 'outcome-unknown' : code;
}

/** The document did not come out for certain. */
export const isMissing = ({ stage }: Pick<DocumentProgress, 'stage'>): boolean =>
  stage === 'failed' || stage === 'unknown';
