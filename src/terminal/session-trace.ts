/** The part of a release's trace that its session is: from the badge to the choice. One terminal has one session at a time. */
import type { Clock } from '../core/clock.ts';
import { isoInstant } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { milliseconds } from '../core/duration.ts';
import type { TraceSoFar, TraceStep } from '../domain/release-trace.ts';
import type { Credentials } from '../domain/user.ts';

export interface SessionTraceWorld {
  readonly clock: Clock;
  /** It was carried out. */
  onStage(stage: 'login' | 'list', span: Duration): void;
}

export interface SessionTrace {
  badgeRead(): void;
  /** Somebody is to be logged in; with a badge the trace began when it was read, and a PIN was typed since. */
  begins(how: Credentials['kind']): void;
  /** Of several lists the last one led to the choice; what comes too late for its session leaves no step. */
  measured<Result>(stage: 'login' | 'list', call: () => Promise<Result>): Promise<Result>;
  /** What came before a release that is wanted now. */
  chosen(): TraceSoFar;
}

export function createSessionTrace({ clock, onStage }: SessionTraceWorld): SessionTrace {
  let badgeAt = 0;
  let origin = 0;
  let since = '';
  const steps = new Map<TraceStep['stage'], TraceStep>();
  const step = (stage: TraceStep['stage'], from: number): TraceStep => ({
    stage,
    at: Math.round(from - origin),
    took: Math.round(clock.monotonic() - from),
  });

  return {
    badgeRead: () => {
      badgeAt = clock.monotonic();
    },
    begins(how) {
      const now = clock.monotonic();
      origin = how === 'card' ? badgeAt : now;
      since = isoInstant(clock.now() - (now - origin));
      steps.clear();
      if (how === 'card') steps.set('badge', { stage: 'badge', at: 0, took: Math.round(now - origin) });
    },
    async measured(stage, call) {
      const from = clock.monotonic();
      const session = origin;
      const result = await call();
      // Somebody else may have held a badge meanwhile.
      if (session === origin) steps.set(stage, step(stage, from));
      onStage(stage, milliseconds(clock.monotonic() - from));
      return result;
    },
    chosen() {
      const { at = 0, took = 0 } = steps.get('list') ?? {};
      return { since, origin, steps: [...steps.values(), step('chosen', origin + at + took)] };
    },
  };
}
