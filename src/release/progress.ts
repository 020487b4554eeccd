/**
 * How far a release is, in the words a person is told. The states of the release machine say them by their tags; a state
 * without one changes nothing, and so shows nothing. The end is told by the ledger's verdict, the pages by the printer.
 */
import type { Document } from '../domain/document.ts';
import { documentLimits } from '../domain/document.ts';
import type { EndState } from '../domain/release.ts';
import type { DocumentProgress } from '../domain/terminal/terminal-view.ts';

export type EndStage = Extract<DocumentProgress['stage'], 'printed' | 'handed-over' | 'failed' | 'unknown'>;
export type StageUnderWay = Exclude<DocumentProgress['stage'], EndStage>;

export interface ReleaseProgress extends Pick<DocumentProgress, 'wait' | 'page' | 'pages'> {
  readonly stage: StageUnderWay;
}

/** Nobody is told "printed" but of what was confirmed (I12). */
export const endStageOf = {
  CONFIRMED: 'printed',
  'HANDED-OVER': 'handed-over',
  NOOUTPUT: 'failed',
  PARTIAL: 'unknown',
  UNKNOWN: 'unknown',
} as const satisfies Record<EndState, EndStage>;

/** Gives what is to be told of so many impressions; `undefined` where that is nothing new, or not to be believed. */
export type PageCounter = (impressions: number) => ReleaseProgress | undefined;

/** What came out stays out, and is no more than the document has: no other count of a printer is passed on (I12). */
export function pageCounter({ totalPages, copies }: Document): PageCounter {
  const pages = totalPages === undefined ? undefined : totalPages * copies;
  const most = pages ?? documentLimits.pages * documentLimits.copies;
  let page = 0;
  return (impressions) => {
    if (!Number.isSafeInteger(impressions) || impressions <= page || impressions > most) return undefined;
    page = impressions;
    return { stage: 'printing', page, ...(pages === undefined ? {} : { pages }) };
  };
}
