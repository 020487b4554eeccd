/**
 * Whether every service still makes progress: each promises to come by again within a span, and one that does not is
 * named. Cloud and printer being away is no fault here, that is what `status/conditions.ts` tells of.
 */
import type { Clock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { inSeconds } from '../core/duration.ts';
import type { ProgressWatch } from '../core/service.ts';

export interface OverdueService {
  readonly service: string;
  readonly reason: string;
}

export interface Health extends ProgressWatch {
  /** Those that broke their promise; empty while all is well. */
  overdue(): readonly OverdueService[];
}

interface Given {
  readonly service: string;
  readonly madeAt: number;
  readonly within: Duration;
}

export function createHealth({ clock }: { clock: Clock }): Health {
  /** The last promise of each service that is followed. */
  const promises = new Map<symbol, Given>();
  return {
    follow(service) {
      const key = Symbol(service);
      return {
        progress: (within) => promises.set(key, { service, madeAt: clock.monotonic(), within }),
        [Symbol.dispose]: () => promises.delete(key),
      };
    },
    overdue() {
      const now = clock.monotonic();
      return [...promises.values()]
        .filter(({ madeAt, within }) => now - madeAt > within)
        .map(({ service, madeAt, within }) => ({
          service,
          reason: `no progress for ${Math.round((now - madeAt) / 1000)} s, promised within ${inSeconds(within)} s`,
        }));
    },
  };
}
