/**
 * History records whose post may have arrived although its answer was lost: before such a record is posted again, the
 * service is asked whether it has it (reliability.md B.4, 9). An optional kindness to whoever reads the history: only
 * a clear yes keeps a record from being posted, so that none is lost (I2).
 */
import type { Clock } from '../core/clock.ts';
import { hours } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import type { HistoryRecords } from '../domain/ports/service.ts';
import { isProblem } from '../domain/problem.ts';
import type { OutboxRow } from './outbox.ts';

export interface Arrivals {
  /** A post of this row ended without an answer. In memory only: after a restart a record may go a second time. */
  doubt(row: OutboxRow): void;
  /** The row is gone. */
  forget(row: OutboxRow): void;
  hasArrived(row: OutboxRow, signal: AbortSignal): Promise<boolean>;
}

/** A service that does not tell, or not us, is not asked again for so long. */
const silence = hours(1);

export function createArrivals(parts: {
  readonly records: HistoryRecords | undefined;
  readonly clock: Clock;
  readonly log: Log;
}): Arrivals {
  const { records, clock, log } = parts;
  const doubted = new Set<number>();
  let silentUntil = Number.NEGATIVE_INFINITY;

  return {
    doubt: ({ id }) => void doubted.add(id),
    forget: ({ id }) => void doubted.delete(id),
    async hasArrived({ id, releaseId, record }, signal) {
      if (!records || !doubted.has(id) || clock.monotonic() < silentUntil) return false;
      try {
        return await records.has(record, { signal });
      } catch (error) {
        if (isProblem(error, 'cloud-denied', 'cloud-not-found', 'cloud-feature-off')) {
          silentUntil = clock.monotonic() + silence;
        }
        if (!signal.aborted) log.debug('history not looked up', { releaseId, error: error as Error });
        return false;
      }
    },
  };
}
