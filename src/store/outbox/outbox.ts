/**
 * History records the service has not accepted yet: a table beside the ledger, so that a row is born in the
 * transaction of the outcome it tells of (reliability.md D8, I2). It stores and counts; posting is `courier.ts`.
 */
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { milliseconds } from '../../core/duration.ts';
import type { HistoryRecord } from '../../domain/history.ts';
import type { OutboxCounts } from '../../domain/ports/ledger.ts';
import { crcOf } from '../checksum.ts';
import { historyText } from '../columns.ts';
import type { Database } from '../database.ts';
import type { EventChain } from '../ledger/event-chain.ts';
import { holdTimeOf } from './hold-time.ts';
import { sealedAnew, slotOf, textIn } from '../sealed/personal-columns.ts';
import type { RowKeys } from '../sealed/row-keys.ts';

export interface OutboxRow {
  readonly id: number;
  readonly releaseId: string;
  readonly terminal: string;
  readonly record: HistoryRecord;
}

export interface Outbox {
  /** Inside the caller's transaction. `record` is the sealed JSON of a `HistoryRecord`. */
  add(row: { releaseId: string; terminal: string; record: string; holdFor: Duration }): void;
  /** Inside the caller's transaction: a row of other books, unless there is one of that release. Held anew. */
  adopt(row: Readonly<Record<string, unknown>>, holdFor: Duration): boolean;
  /** Inside the caller's transaction: the release's held record may go at once, if it is still here. */
  release(releaseId: string): void;
  /** Of all rows, dead letters included: none of them may be dropped to make room. */
  size(): number;
  /** At most so much of the room is taken, that of so many further rows included; from 1 on nothing may be added (D8). */
  fullness(further?: number): number;
  /** The oldest row that may go now, of a terminal that is not among these. */
  next(resting: readonly string[]): OutboxRow | undefined;
  /** When the release was planned, as `Clock.sinceBoot` tells; `undefined` where that was in another boot, or is compacted. */
  plannedAt(releaseId: string): number | undefined;
  /** The record was wrong, and nobody has it yet. */
  correct(id: number, record: HistoryRecord): void;
  /** The id of the youngest row; 0 when there is none. */
  newest(): number;
  /** Until the next held row may go; `undefined` when none is held. */
  heldFor(): Duration | undefined;
  /** How long holds have run by now: a reboot takes back what was not noted. */
  noteTime(): void;
  /** It was sent in vain and waits on. */
  countFailure(id: number): void;
  /** The service has it: the row goes, and then its key, without which no copy of it can be read; the events tell when. */
  accepted(id: number): void;
  /** The service will never take it as it is; a person may look at it. */
  bury(id: number, reason: string): void;
  counts(): OutboxCounts;
  /** How long the oldest row that may go has waited; `undefined` where none does. */
  oldest(): Duration | undefined;
  /** Leaves nothing of deleted rows on disk. */
  scrub(): void;
}

export interface OutboxSize {
  readonly rows: number;
  readonly bytes: number;
}

/** Measuring reads every row; far from full, an upper bound tells as much. */
const worthMeasuring = 0.5;

/** D8: about a month of a busy gateway without its cloud. Full, no print is made that could not be recorded. */
const mostOf: OutboxSize = { rows: 100_000, bytes: 64 * 1024 * 1024 };

const rowShape = z.object({ id: z.int(), release_id: z.string(), terminal: z.string(), record: z.string() });
const storedShape = z.object({
  id: z.int(),
  release_id: z.string(),
  terminal: z.string(),
  record: z.string(),
  not_before: z.int(),
  dead_letter: z.string().nullable(),
  held_until: z.int(),
});
const countsShape = z.object({ waiting: z.int(), held: z.int(), deadLetters: z.int() });
const sizeShape = z.object({ rows: z.int(), bytes: z.int() });

export interface OutboxOptions {
  readonly database: Database;
  readonly chain: EventChain;
  readonly rowKeys: RowKeys;
  readonly clock: Clock;
  readonly bootId: string;
  readonly capacity?: OutboxSize;
}

export function createOutbox({
  database,
  chain,
  rowKeys,
  clock,
  bootId,
  capacity = mostOf,
}: OutboxOptions): Outbox {
  const insert = database.prepare(
    'INSERT INTO outbox (release_id, terminal, record, not_before, held_until, crc) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const adoptive = database.prepare(`
    INSERT OR IGNORE INTO outbox (release_id, terminal, record, not_before, dead_letter, held_until, crc)
    VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const measured = database.prepare(
    'SELECT count(*) AS rows, coalesce(sum(octet_length(record)), 0) AS bytes FROM outbox',
  );
  // NOT INDEXED: walking the table in its order finds the first row at once, however many wait.
  const first = database.prepare(`
    SELECT id, release_id, terminal, record FROM outbox NOT INDEXED
    WHERE dead_letter IS NULL AND held_until <= ? AND terminal NOT IN (SELECT value FROM json_each(?))
    ORDER BY id LIMIT 1`);
  const nextHeld = database.prepare(
    'SELECT min(held_until) AS due FROM outbox WHERE dead_letter IS NULL AND held_until > ?',
  );
  const longestDue = database.prepare(
    'SELECT min(not_before) AS due FROM outbox WHERE dead_letter IS NULL AND held_until <= ?',
  );
  const youngest = database.prepare('SELECT max(id) AS id FROM outbox');
  const ofRelease = database.prepare('SELECT * FROM outbox WHERE release_id = ?');
  const planned = database.prepare(`
    SELECT event.monotonic_ms AS moment FROM event JOIN attempt ON attempt.id = event.attempt
    WHERE attempt.release_id = ? AND event.state = 'PLANNED' AND event.boot_id = ?`);
  const attemptOf = database.prepare(`
    SELECT attempt.id FROM attempt JOIN outbox ON outbox.release_id = attempt.release_id WHERE outbox.id = ?`);
  const ofId = database.prepare('SELECT * FROM outbox WHERE id = ?');
  const increment = database.prepare('UPDATE outbox SET attempts = attempts + 1 WHERE id = ?');
  const remove = database.prepare('DELETE FROM outbox WHERE id = ?');
  const update = database.prepare(
    `UPDATE outbox SET record = :record, not_before = :not_before, dead_letter = :dead_letter, held_until = :held_until,
     crc = :crc WHERE id = :id`,
  );
  const counted = database.prepare(`
    SELECT count(*) FILTER (WHERE dead_letter IS NULL AND held_until <= :now) AS waiting,
           count(*) FILTER (WHERE dead_letter IS NULL AND held_until > :now) AS held,
           count(*) FILTER (WHERE dead_letter IS NOT NULL) AS deadLetters
    FROM outbox`);

  const measure = (): OutboxSize => database.read(() => sizeShape.parse(measured.get()));
  const shareOf = ({ rows, bytes }: OutboxSize, further: number): number =>
    Math.max((rows + further) / capacity.rows, bytes / capacity.bytes);
  /** What was measured last and all that was added since: rows that left are counted still. */
  let atMost = measure();

  const time = holdTimeOf(database, { clock, bootId });
  const heldFor = (): Duration | undefined =>
    database.read(() => {
      const now = time.now();
      const due = nextHeld.get(now)?.['due'];
      return typeof due === 'number' ? milliseconds(due - now) : undefined;
    });

  /** Does nothing where the row is gone. */
  function change(found: unknown, changes: Partial<z.infer<typeof storedShape>>): void {
    if (found === undefined) return;
    const row = { ...storedShape.parse(found), ...changes };
    const { id, record, not_before, dead_letter, held_until } = row;
    update.run({ id, record, not_before, dead_letter, held_until, crc: crcOfOutboxRow(row) });
  }

  return {
    add({ releaseId, terminal, record, holdFor }) {
      const not_before = Math.ceil(clock.now() + holdFor);
      const held_until = holdFor > 0 ? time.now() + Math.ceil(holdFor) : 0;
      // Else a crash could take back more than the hold itself.
      if (held_until > 0) time.note();
      const row = { release_id: releaseId, terminal, record, not_before, dead_letter: null, held_until };
      insert.run(releaseId, terminal, record, not_before, held_until, crcOfOutboxRow(row));
      atMost = { rows: atMost.rows + 1, bytes: atMost.bytes + Buffer.byteLength(record) };
    },
    adopt(found, holdFor) {
      const { data: row } = storedShape.omit({ held_until: true }).safeParse(found);
      if (!row) return false;
      const { release_id, terminal, record, not_before, dead_letter } = row;
      const held_until = holdFor > 0 ? time.now() + holdFor : 0;
      if (held_until > 0) time.note();
      const crc = crcOfOutboxRow({ ...row, held_until });
      return (
        adoptive.run(release_id, terminal, record, not_before, dead_letter, held_until, crc).changes === 1
      );
    },
    release: (releaseId) =>
      change(ofRelease.get(releaseId), { not_before: Math.floor(clock.now()), held_until: 0 }),
    size: () => measure().rows,
    fullness(further = 0) {
      if (shareOf(atMost, further) >= worthMeasuring) atMost = measure();
      return shareOf(atMost, further);
    },
    next: (resting) =>
      database.read(() => {
        const found = first.get(time.now(), JSON.stringify(resting));
        if (!found) return undefined;
        const { id, release_id: releaseId, terminal, record } = rowShape.parse(found);
        const text = textIn(rowKeys, { kind: 'history', releaseId }, record);
        return { id, releaseId, terminal, record: historyText.parse(text) };
      }),
    plannedAt: (releaseId) =>
      database.read(() => {
        const moment = planned.get(releaseId, bootId)?.['moment'];
        return typeof moment === 'number' ? moment : undefined;
      }),
    correct: (id, record) =>
      database.transaction(() => {
        const found = ofId.get(id);
        if (found === undefined) return;
        const { release_id: releaseId, record: before } = storedShape.parse(found);
        const text = JSON.stringify(record);
        change(found, { record: sealedAnew(rowKeys, { kind: 'history', releaseId }, before, text) });
      }),
    newest: () => database.read(() => Number(youngest.get()?.['id'] ?? 0)),
    heldFor,
    noteTime() {
      if (heldFor() !== undefined) database.transaction(() => time.note());
    },
    countFailure: (id) => void database.transaction(() => increment.run(id)),
    accepted(id) {
      const slot = database.transaction(() => {
        // Compacted by now, where it waited for longer than a month.
        const attempt = attemptOf.get(id)?.['id'];
        if (typeof attempt === 'number') chain.append({ attempt, state: 'HISTORY-ACCEPTED', facts: {} });
        const { data: row } = storedShape.safeParse(ofId.get(id));
        remove.run(id);
        return row && slotOf(row.record);
      });
      if (slot !== undefined) database.guarded(() => rowKeys.destroy(slot));
    },
    bury: (id, reason) => database.transaction(() => change(ofId.get(id), { dead_letter: reason })),
    counts: () => database.read(() => countsShape.parse(counted.get({ now: time.now() }))),
    oldest: () =>
      database.read(() => {
        const due = longestDue.get(time.now())?.['due'];
        return typeof due === 'number' ? milliseconds(Math.max(0, clock.now() - due)) : undefined;
      }),
    scrub: () => database.emptyLog(),
  };
}

/** Also of a row that may be none any more, or of version 3, without its hold. How often it was sent is no part of it. */
export const crcOfOutboxRow = (row: Readonly<Record<string, unknown>>): number =>
  crcOf([
    ...['release_id', 'terminal', 'record', 'not_before', 'dead_letter'].map((name) => row[name]),
    ...('held_until' in row ? [row['held_until']] : []),
  ]);
