/**
 * Handles history records that may have arrived although the answer was lost. Before such a record is posted again, the
 * service is asked whether it has it (INVARIANTS.md B.4, 9). That only spares readers of the history a double entry: a
 * record is left out only after a clear yes, so none is lost (I2). A similar record of another gateway does not count
 * as a yes: it must be at our output port.
 */
import { createHash } from 'node:crypto';
import { hours } from '../../core/duration.ts';
import type { Env } from '../../domain/env.ts';
import type { HistoryRecord } from '../../domain/history.ts';
import type { HistoryRecords } from '../../domain/ports/service.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import type { OutboxRow } from './outbox.ts';

export interface Arrivals {
  /** A post of this row may have arrived: this agent made it, or the agent before it. */
  isDoubted(row: OutboxRow): boolean;
  /** Notes that this post of a row without doubt may have arrived, or certainly did not. */
  posted(row: OutboxRow, arrival: 'perhaps' | 'never'): void;
  isAbsent(row: OutboxRow): boolean;
  /** The number of similar records that the service accepted before it; `undefined` if unknown. */
  alikeBefore(row: OutboxRow): number | undefined;
  /** Notes that the service has the record, by its answer or by a look-up. */
  accepted(row: OutboxRow): void;
  /** The row is gone from the outbox, and the service does not have its record. */
  forget(row: OutboxRow): void;
  hasArrived(row: OutboxRow, signal: AbortSignal): Promise<boolean>;
}

/** If the service cannot answer, or refuses this agent, it is not asked again for this time. */
const silence = hours(1);
/** Similar records are posted within moments of each other. This many accepted ones are remembered. */
const mostRemembered = 1000;

export interface ArrivalDeps extends Pick<Env, 'clock' | 'log'> {
  readonly records: HistoryRecords | undefined;
  /** The port where the service files a record of this serial number; `undefined` if unknown. */
  portIdOf(row: OutboxRow): number | undefined;
  /**
   * A row that waited at the start without having been sent may look like a record that was accepted earlier. It is
   * never looked up.
   */
  readonly newestAtStart: number;
}

export function createArrivals(deps: ArrivalDeps): Arrivals {
  const { records, newestAtStart, clock, log } = deps;
  /** Rows that are noted as sent but certainly did not arrive. */
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

/** A digest of the fields by which the service finds a record. No other personal data stays here. */
const lookOf = ({ userName, providerId, title, totalPages, serialNumber, dateTime }: HistoryRecord): string =>
  createHash('sha256')
    .update(JSON.stringify([userName, providerId, title, totalPages, serialNumber, dateTime]))
    .digest('base64');
