/** The trace of one release under way: the stages that its session brought along, and every stage as it ends. */
import type { Clock } from '../core/clock.ts';
import type { Trace, TraceSoFar, TraceStage, TraceStep } from '../domain/release-trace.ts';

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
