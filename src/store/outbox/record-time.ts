/**
 * A history record made while the wall clock was wrong gets the time of its release before it is posted (INVARIANTS.md
 * B.4 table 9): the ledger knows when in this boot of the machine that was, and the service what the time was then. Once
 * set right it stays as it is, so that a second post of it looks like the first.
 */
import { isoWithOffset, parseInstant } from '../../core/clock.ts';
import { inSeconds, milliseconds } from '../../core/duration.ts';
import type { Log } from '../../core/log.ts';
import type { ServiceTime } from '../../domain/service-time.ts';
import { knownTime } from '../../domain/service-time.ts';
import type { Outbox, OutboxRow } from './outbox.ts';

/** Writes it down where it changes. Throws as any write does. */
export function withKnownTime(
  row: OutboxRow,
  { outbox, serviceTime, log }: { outbox: Outbox; serviceTime: ServiceTime; log: Log },
): OutboxRow {
  const sinceBoot = outbox.plannedAt(row.releaseId);
  const wall = parseInstant(row.record.dateTime);
  if (sinceBoot === undefined || wall === undefined) return row;
  const known = knownTime({ wall, sinceBoot }, serviceTime);
  if (known === wall) return row;
  const record = { ...row.record, dateTime: isoWithOffset(known) };
  outbox.correct(row.id, record);
  const { releaseId, terminal } = row;
  const seconds = Math.round(inSeconds(milliseconds(known - wall)));
  log.info('history time corrected', { releaseId, terminal, seconds });
  return { ...row, record };
}
