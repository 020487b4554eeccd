/** The trace of one release under way: what its session brought along, and every stage as it ends. */
import type { Clock } from '../core/clock.ts';
import type { Trace, TraceSoFar, TraceStage, TraceStep } from '../domain/release-trace.ts';

export interface ReleaseTrace {
  /** It began then, on the monotonic clock, and ends now. */
  ended(stage: TraceStage, since: number): void;
  /** The step is there however the call ends; it began now unless said. */
  measured<Result>(stage: TraceStage, call: () => Promise<Result>, since?: number): Promise<Result>;
  /** `undefined`: a restart found the release open, and nobody knows when it began. */
  whole(): Trace | undefined;
}

/** A download that is tried again and again leaves a step each time. */
const mostSteps = 32;
/** Less, in milliseconds, is our own way to the printer and no waiting for others. */
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
