/**
 * History records the service has not accepted yet: a table beside the ledger, so that a row is born in the
 * transaction of the outcome it tells of (reliability.md D8, I2). It stores and counts; posting is `courier.ts`.
 */
import { z } from 'zod';
import type { Clock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import type { HistoryRecord } from '../domain/history.ts';
import type { OutboxCounts } from '../domain/ports/ledger.ts';
import { historyText } from './columns.ts';
import type { Database } from './database.ts';

export interface OutboxRow {
  readonly id: number;
  readonly releaseId: string;
  readonly terminal: string;
  readonly record: HistoryRecord;
}

export interface Outbox {
  /** Inside the caller's transaction. `record` is the JSON of a `HistoryRecord`. */
  add(row: { releaseId: string; terminal: string; record: string; holdFor: Duration }): void;
  /** All rows, dead letters included: none of them may be dropped to make room. */
  size(): number;
  /** The oldest row that may go now, of a terminal that is not among these. */
  next(resting: readonly string[]): OutboxRow | undefined;
  /** The id of the youngest row; 0 when there is none. */
  newest(): number;
  /** Wall time at which the next held row may go; `undefined` when none is held. */
  heldUntil(): number | undefined;
  /** It was sent in vain and waits on. */
  countFailure(id: number): void;
  /** The service has it: the row, a title and a name in it, is overwritten. */
  accepted(id: number): void;
  /** The service will never take it as it is; a person may look at it. */
  bury(id: number, reason: string): void;
  counts(): OutboxCounts;
  /** Leaves nothing of deleted rows on disk. */
  scrub(): void;
}

const rowShape = z.object({ id: z.int(), release_id: z.string(), terminal: z.string(), record: historyText });
const countsShape = z.object({ waiting: z.int(), held: z.int(), deadLetters: z.int() });

export function createOutbox({ database, clock }: { database: Database; clock: Clock }): Outbox {
  const insert = database.prepare(
    'INSERT INTO outbox (release_id, terminal, record, not_before) VALUES (?, ?, ?, ?)',
  );
  const count = database.prepare('SELECT count(*) AS rows FROM outbox');
  // NOT INDEXED: walking the table in its order finds the first row at once, however many wait.
  const first = database.prepare(`
    SELECT id, release_id, terminal, record FROM outbox NOT INDEXED
    WHERE dead_letter IS NULL AND not_before <= ? AND terminal NOT IN (SELECT value FROM json_each(?))
    ORDER BY id LIMIT 1`);
  const nextHeld = database.prepare(
    'SELECT min(not_before) AS due FROM outbox WHERE dead_letter IS NULL AND not_before > ?',
  );
  const youngest = database.prepare('SELECT max(id) AS id FROM outbox');
  const increment = database.prepare('UPDATE outbox SET attempts = attempts + 1 WHERE id = ?');
  const remove = database.prepare('DELETE FROM outbox WHERE id = ?');
  const markDead = database.prepare('UPDATE outbox SET dead_letter = ? WHERE id = ?');
  const counted = database.prepare(`
    SELECT count(*) FILTER (WHERE dead_letter IS NULL AND not_before <= :now) AS waiting,
           count(*) FILTER (WHERE dead_letter IS NULL AND not_before > :now) AS held,
           count(*) FILTER (WHERE dead_letter IS NOT NULL) AS deadLetters
    FROM outbox`);

  return {
    add: (row) =>
      void insert.run(row.releaseId, row.terminal, row.record, Math.ceil(clock.now() + row.holdFor)),
    size: () => database.read(() => Number(count.get()?.['rows'])),
    next: (resting) =>
      database.read(() => {
        const found = first.get(clock.now(), JSON.stringify(resting));
        if (!found) return undefined;
        const row = rowShape.parse(found);
        return { id: row.id, releaseId: row.release_id, terminal: row.terminal, record: row.record };
      }),
    newest: () => database.read(() => Number(youngest.get()?.['id'] ?? 0)),
    heldUntil: () =>
      database.read(() => {
        const due = nextHeld.get(clock.now())?.['due'];
        return typeof due === 'number' ? due : undefined;
      }),
    countFailure: (id) => void database.transaction(() => increment.run(id)),
    accepted: (id) => void database.transaction(() => remove.run(id)),
    bury: (id, reason) => void database.transaction(() => markDead.run(reason, id)),
    counts: () => database.read(() => countsShape.parse(counted.get({ now: clock.now() }))),
    scrub: () => database.emptyLog(),
  };
}
