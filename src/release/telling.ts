/**
 * What one release tells: the news for people while it is under way, and the trace of its stages at its end. No news is
 * told twice, and a count is told only if it can be believed. The machine and its steps report the facts; this file
 * finds the new ones.
 */
import type { Clock } from '../core/clock.ts';
import { seconds } from '../core/duration.ts';
import type { Document } from '../domain/document.ts';
import { documentLimits } from '../domain/document.ts';
import type { Trace, TraceSoFar, TraceStage, TraceStep } from '../domain/release-trace.ts';
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

/** The trace of one release: the stages that its session brought along, and every stage as it ends. */
export interface ReleaseTrace {
  /** The stage began at `since`, on the monotonic clock, and ends now. */
  ended(stage: TraceStage, since: number): void;
  /** Records the stage also if the call fails. The stage began now if `since` is not given. */
  measured<Result>(stage: TraceStage, call: () => Promise<Result>, since?: number): Promise<Result>;
  /** `undefined` if a restart found the release open, because its beginning is not known then. */
  whole(): Trace | undefined;
}

/** A download that is repeated many times adds a step each time. */
const mostSteps = 32;
/** In milliseconds. A shorter time is our own way to the printer, and not a wait for others. */
const shortestQueue = 50;

export function createReleaseTrace(world: {
  readonly clock: Clock;
  readonly before: TraceSoFar | undefined;
}): ReleaseTrace {
  const { clock, before } = world;
  const steps: TraceStep[] = [...(before?.steps ?? [])];
  const origin = before?.origin ?? 0;
  const wantedAt = origin + Math.max(0, ...steps.map(({ at, took }) => at + took));

  function ended(stage: TraceStage, since: number): void {
    if (steps.length >= mostSteps) return;
    const took = Math.round(clock.monotonic() - since);
    steps.push({ stage, at: Math.round(since - origin), took });
  }

  if (clock.monotonic() - wantedAt >= shortestQueue) ended('queue', wantedAt);

  return {
    ended,
    async measured(stage, call, since = clock.monotonic()) {
      try {
        return await call();
      } finally {
        ended(stage, since);
      }
    },
    whole: () => before && { since: before.since, steps: steps.toSorted((one, other) => one.at - other.at) },
  };
}
