/**
 * Whether every service still makes progress: each promises to come by again within a span, and one that does not is
 * named. Cloud and printer being away is no fault here, that is what `status/conditions.ts` tells of.
 */
import type { Clock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { inSeconds } from '../core/duration.ts';

export interface OverdueService {
  readonly service: string;
  readonly reason: string;
}

export interface Health {
  /** The service made progress, and will again within the span. */
  promise(service: string, within: Duration): void;
  /** The service ended in order: nothing is expected of it any longer. */
  release(service: string): void;
  /** Those that broke their promise; empty while all is well. */
  overdue(): readonly OverdueService[];
}

export function createHealth({ clock }: { clock: Clock }): Health {
  const promises = new Map<string, { madeAt: number; within: Duration }>();
  return {
    promise: (service, within) => promises.set(service, { madeAt: clock.monotonic(), within }),
    release: (service) => promises.delete(service),
    overdue() {
      const now = clock.monotonic();
      return [...promises]
        .filter(([, { madeAt, within }]) => now - madeAt > within)
        .map(([service, { madeAt, within }]) => ({
          service,
          reason: `no progress for ${Math.round((now - madeAt) / 1000)} s, promised within ${inSeconds(within)} s`,
        }));
    },
  };
}
