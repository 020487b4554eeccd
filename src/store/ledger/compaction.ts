/**
 * Keeps the ledger from growing for years (INVARIANTS.md B.1): the oldest events of closed releases are removed, a
 * portion at a time. A checkpoint event with the hash of the last removed event takes their place. The rest of a
 * document's history then stands in `past.ts`. This is the only code that may delete events.
 */
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { isoInstant } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { hours } from '../../core/duration.ts';
import { outcomeOf } from '../../domain/release.ts';
import { attemptOf } from './attempts.ts';
import { isEndState } from '../columns.ts';
import type { Database } from '../database.ts';
import type { EventChain } from '../event-chain.ts';
import { createPast } from './past.ts';

export interface CompactionLimits {
  /** Events older than this are removed. */
  readonly keepFor: Duration;
  /** Events beyond this number are removed even if they are younger, because a state directory has 70 MB (gate G10). */
  readonly mostEvents: number;
  /** Events removed at a time, with one checkpoint; short enough not to disturb. */
  readonly portion: number;
}

const usualLimits: CompactionLimits = { keepFor: hours(30 * 24), mostEvents: 70_000, portion: 1000 };

const boundsShape = z.object({ first: z.int(), last: z.int(), open: z.int().nullable() });
const eventShape = z.object({ at: z.string(), hash: z.instanceof(Uint8Array) });

/**
 * Removes one portion if one is due. If the service's time is known, the earlier of our own time and the service's
 * counts (D14).
 */
export function createCompaction(options: {
  readonly database: Database;
  readonly chain: EventChain;
  readonly clock: Clock;
  readonly limits?: CompactionLimits;
}): (serviceTime?: number) => void {
  const { database, chain, clock, limits = usualLimits } = options;
  const past = createPast(database);
  const sql = statementsOf(database);

  /** The last event that may go; `undefined` if none is due or a release there is still open. */
  function portionEnd(now: number): { seq: number; at: string; hash: Uint8Array } | undefined {
    const { data: found } = boundsShape.safeParse(sql.bounds.get());
    if (!found) return undefined;
    const { first, last, open } = found;
    const seq = Math.min(first + limits.portion, open ?? Number.POSITIVE_INFINITY) - 1;
    if (seq < first || seq >= last) return undefined;
    const { at, hash } = eventShape.parse(sql.eventAt.get(seq));
    const isDue = at < isoInstant(now - limits.keepFor) || last - seq >= limits.mostEvents;
    return isDue ? { seq, at, hash } : undefined;
  }

  function forget(endedBy: string): number {
    const attempts = sql.withoutEvents.all(endedBy).map(attemptOf);
    for (const { id, state, document_uuid } of attempts) {
      const outcome = isEndState(state) ? outcomeOf[state] : 'unknown';
      if (outcome !== 'failed') past.note(document_uuid, outcome === 'unknown' ? 'UNKNOWN' : 'CONFIRMED');
      sql.removeAttempt.run(id);
    }
    return attempts.length;
  }

  return (serviceTime = Number.POSITIVE_INFINITY) => {
    const now = Math.min(clock.now(), serviceTime);
    if (!database.read(() => portionEnd(now))) return;
    database.transaction(() => {
      const end = portionEnd(now);
      if (!end) return;
      const trigger = z.string().parse(sql.guardian.get()?.['sql']);
      database.exec('DROP TRIGGER event_is_never_deleted');
      sql.removeEvents.run(end.seq);
      database.exec(trigger);
      const releases = forget(end.at);
      const hash = Buffer.from(end.hash).toString('hex');
      chain.append({ state: 'CHECKPOINT', facts: { through: end.seq, hash, releases } });
    });
  };
}

const statementsOf = (database: Database) => ({
  bounds: database.prepare(`
    SELECT (SELECT min(seq) FROM event) AS first, (SELECT max(seq) FROM event) AS last,
           (SELECT min(seq) FROM event JOIN attempt ON attempt.id = attempt WHERE ended_at IS NULL) AS open`),
  eventAt: database.prepare('SELECT at, hash FROM event WHERE seq = ?'),
  guardian: database.prepare("SELECT sql FROM sqlite_schema WHERE name = 'event_is_never_deleted'"),
  removeEvents: database.prepare('DELETE FROM event WHERE seq <= ?'),
  // The last release of a document decides its state. So no release goes before an earlier one, whose record may have
  // arrived late.
  withoutEvents: database.prepare(`
    SELECT * FROM attempt WHERE ended_at <= ? AND NOT EXISTS (
      SELECT 1 FROM attempt AS upToIt
      WHERE upToIt.document_uuid = attempt.document_uuid AND upToIt.id <= attempt.id
      AND (upToIt.deletion_owed = 1 OR EXISTS (SELECT 1 FROM event WHERE event.attempt = upToIt.id)))
    ORDER BY id`),
  removeAttempt: database.prepare('DELETE FROM attempt WHERE id = ?'),
});
