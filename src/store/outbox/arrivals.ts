/**
 * History records whose post may have arrived although its answer was lost: before such a record is posted again, the
 * service is asked whether it has it (INVARIANTS.md B.4, 9). An optional kindness to whoever reads the history: only
 * a clear yes keeps a record from being posted, so that none is lost (I2). The record of another gateway may look alike
 * and is no yes: it has to stand at our output port.
 */
import { createHash } from 'node:crypto';
import { hours } from '../../core/duration.ts';
import type { Env } from '../../domain/env.ts';
import type { HistoryRecord } from '../../domain/history.ts';
import type { HistoryRecords } from '../../domain/ports/service.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import type { OutboxRow } from './outbox.ts';

export interface Arrivals {
  /** A post of this row may have arrived: this agent made it, or the one before it. */
  isDoubted(row: OutboxRow): boolean;
  /** This post of a row that was not in doubt may have arrived, or certainly did not. */
  posted(row: OutboxRow, arrival: 'perhaps' | 'never'): void;
  isAbsent(row: OutboxRow): boolean;
  /** How many that look like it the service has taken before it; `undefined` where nobody knows. */
  alikeBefore(row: OutboxRow): number | undefined;
  /** The service has the row's record: by its answer, or found there. */
  accepted(row: OutboxRow): void;
  /** The row is gone, and its record is not there. */
  forget(row: OutboxRow): void;
  hasArrived(row: OutboxRow, signal: AbortSignal): Promise<boolean>;
}

/** A service that does not tell, or not us, is not asked again for so long. */
const silence = hours(1);
/** Records that look alike are posted within moments of each other; so many accepted ones are remembered. */
const mostRemembered = 1000;

export interface ArrivalDeps extends Pick<Env, 'clock' | 'log'> {
  readonly records: HistoryRecords | undefined;
  /** Where the service files a record of this serial number; `undefined` where that is not known. */
  portIdOf(row: OutboxRow): number | undefined;
  /** What waited at the start, and was not sent before it, may be alike to what was accepted then: it is never looked up. */
  readonly newestAtStart: number;
}

export function createArrivals(deps: ArrivalDeps): Arrivals {
  const { records, newestAtStart, clock, log } = deps;
  /** Noted as sent, and certainly not there. */
  const absent = new Set<number>();
  const acceptedAlike = new Map<string, number>();
  let silentUntil = Number.NEGATIVE_INFINITY;

  const isDoubted = ({ id, alikeBefore }: OutboxRow) => alikeBefore !== undefined && !absent.has(id);

  return {
    isDoubted,
    posted({ id }, arrival) {
      if (arrival === 'never') absent.add(id);
      else absent.delete(id);
    },
    isAbsent: ({ id }) => absent.has(id),
    alikeBefore: ({ id, record }) =>
      id > newestAtStart ? (acceptedAlike.get(lookOf(record)) ?? 0) : undefined,
    forget: ({ id }) => void absent.delete(id),
    accepted({ id, record }) {
      absent.delete(id);
      const look = lookOf(record);
      acceptedAlike.set(look, (acceptedAlike.get(look) ?? 0) + 1);
      const [oldest] = acceptedAlike.keys();
      if (acceptedAlike.size > mostRemembered && oldest !== undefined) acceptedAlike.delete(oldest);
    },
    async hasArrived(row, signal) {
      const { releaseId, record, alikeBefore = 0 } = row;
      const portId = deps.portIdOf(row);
      if (!records || portId === undefined || !isDoubted(row)) return false;
      if (clock.monotonic() < silentUntil) return false;
      try {
        const found = await records.count(record, portId, { signal });
        return found > Math.max(alikeBefore, acceptedAlike.get(lookOf(record)) ?? 0);
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

/** By what the service can be asked for a record; of a person nothing stays here but this. */
const lookOf = ({ userName, providerId, title, totalPages, serialNumber, dateTime }: HistoryRecord): string =>
  createHash('sha256')
    .update(JSON.stringify([userName, providerId, title, totalPages, serialNumber, dateTime]))
    .digest('base64');
