/**
 * The news of one release for people, and the last news that they had. Nothing is told twice, and a count is told only
 * if it can be believed. The machine and its steps report the facts; this file finds the new ones.
 */
import type { Clock } from '../core/clock.ts';
import { seconds } from '../core/duration.ts';
import type { Document } from '../domain/document.ts';
import { documentLimits } from '../domain/document.ts';
import type { ReleaseNews, ReleaseWait, StageUnderWay } from './events.ts';

const progressPause = seconds(2);

export class Telling {
  /** Why the printer, or the engine, keeps the release waiting. */
  wait: ReleaseWait;
  /** The highest count that people were told. */
  page = 0;
  readonly #clock: Clock;
  readonly #document: Document | undefined;
  readonly #tell: (news: ReleaseNews) => void;
  #stage: StageUnderWay = 'waiting';
  #progressAt = Number.NEGATIVE_INFINITY;
  #hasEnded = false;

  constructor(clock: Clock, document: Document | undefined, tell: (news: ReleaseNews) => void) {
    this.#clock = clock;
    this.#document = document;
    this.#tell = tell;
  }

  stage(stage: StageUnderWay): void {
    if (stage === this.#stage) return;
    this.#stage = stage;
    this.#tell({ type: 'stage', stage });
  }

  waits(wait: ReleaseWait): void {
    if (this.#hasEnded || wait === this.wait) return;
    this.wait = wait;
    this.#tell({ type: 'stage', stage: this.#stage, ...(wait && { wait }) });
  }

  pages(impressions: number): void {
    if (this.#hasEnded) return;
    const news = pageNews(impressions, { document: this.#document, page: this.page });
    if (news === undefined) return;
    this.page = news.page;
    this.#tell(news);
  }

  leftOut(): void {
    this.#tell({ type: 'left-out' });
  }

  standing(): void {
    this.#tell({ type: 'standing' });
  }

  /** Told at most every 2 s. */
  progress(): void {
    const at = this.#clock.monotonic();
    if (at - this.#progressAt < progressPause) return;
    this.#progressAt = at;
    this.#tell({ type: 'progress' });
  }

  ended(end: Omit<Extract<ReleaseNews, { type: 'ended' }>, 'type'>): void {
    this.#hasEnded = true;
    this.#tell({ type: 'ended', ...end });
  }
}

/**
 * The news of a printer's count. A page that is out stays out, and there are no more pages than the document has. Any
 * other count is not believed, and not told (I12).
 */
export function pageNews(
  impressions: number,
  { document, page }: { readonly document: Document | undefined; readonly page: number },
): Extract<ReleaseNews, { type: 'page' }> | undefined {
  if (document === undefined) return undefined;
  const { totalPages, copies } = document;
  const pages = totalPages === undefined ? undefined : totalPages * copies;
  const most = pages ?? documentLimits.pages * documentLimits.copies;
  if (!Number.isSafeInteger(impressions) || impressions <= page || impressions > most) return undefined;
  return { type: 'page', page: impressions, ...(pages === undefined ? {} : { pages }) };
}
