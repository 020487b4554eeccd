/**
 * What a session released and how far that is, as its person is shown: one entry a document, the last wish last. An entry
 * stays when its release has ended, and goes with the session (I3).
 */
import type { Document } from '../domain/document.ts';
import type { Notice } from '../domain/terminal/notice.ts';
import { noticeOf } from '../domain/terminal/notice.ts';
import { problemKinds } from '../domain/problem/problem-kinds.ts';
import type { ProblemCode } from '../domain/problem/problem-kinds.ts';
import { shortReleaseId } from '../domain/release.ts';
import type { DocumentProgress } from '../domain/terminal/terminal-view.ts';
import type { ReleaseEnded, ReleaseEvent } from './events.ts';

export type SessionProgress = readonly DocumentProgress[];

/** How far a document is that is on its way. */
export type DocumentStage = Extract<ReleaseEvent, { type: 'stage' | 'page' }>;

/** `problem`: why it did not come out for certain. */
export type DocumentEnd = Pick<ReleaseEnded, 'releaseId' | 'documentUuid' | 'stage' | 'problem'>;

/** They are at the desk; what is released once more begins anew. */
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

/** How many documents were wished, and how many of them did not come out, or perhaps did not. */
export function outcomesOf(progress: SessionProgress) {
  const count = (wanted: DocumentProgress['stage']) =>
    progress.filter(({ stage }) => stage === wanted).length;
  return { documents: progress.length, notPrinted: count('failed'), unknown: count('unknown') };
}

/** What stays of an entry while its document comes on. */
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

/** Pages come out while it prints. */
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

/** What is told besides of a document that did not come out for certain. */
export function noticeOfEnd(end: DocumentEnd): Notice | undefined {
  const code = codeTold(end);
  if (end.problem?.code === code) return end.problem && noticeOf(end.problem);
  return code && { code, sentence: problemKinds[code].person };
}

/** The words of these ask to look at the tray. */
const asksToLook: readonly ProblemCode[] = [
  'outcome-unknown',
  'print-unconfirmed',
  'printer-stalled',
  'transfer-broken',
  'ended-by-reset',
];

/** Of what may have printed nobody is told to try again (I1): why nobody knows is in the log. */
function codeTold({ stage, problem }: DocumentEnd): ProblemCode | undefined {
  const code = problem?.code;
  return stage === 'unknown' && code && !asksToLook.includes(code) ? 'outcome-unknown' : code;
}

/** It did not come out for certain. */
export const isMissing = ({ stage }: Pick<DocumentProgress, 'stage'>): boolean =>
  stage === 'failed' || stage === 'unknown';
