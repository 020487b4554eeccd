/**
 * Whether every service still makes progress. Each service promises its next sign of progress within a span, and an
 * overdue one is named. An absent cloud or printer is no fault here: `status/conditions.ts` tells that.
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
  /** Services that broke their promise; empty while all is well. */
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
