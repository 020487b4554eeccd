/** The SQL statements of the outbox. */
import { z } from 'zod';
import type { Database } from '../database.ts';

/** A row of the table. */
export const storedShape = z.object({
  id: z.int(),
  release_id: z.string(),
  terminal: z.string(),
  record: z.string(),
  not_before: z.int(),
  held_until: z.int(),
  attempts: z.int(),
  alike_before: z.int().nullable(),
  dead_letter: z.string().nullable(),
});
export type Stored = z.infer<typeof storedShape>;

export type OutboxStatements = ReturnType<typeof outboxStatements>;

export const outboxStatements = (database: Database) => ({
  insert: database.prepare(`
    INSERT OR IGNORE INTO outbox
      (release_id, terminal, record, not_before, held_until, attempts, alike_before, dead_letter, crc)
    VALUES (:release_id, :terminal, :record, :not_before, :held_until, :attempts, :alike_before, :dead_letter, :crc)`),
  update: database.prepare(`
    UPDATE outbox SET record = :record, not_before = :not_before, held_until = :held_until, attempts = :attempts,
      alike_before = :alike_before, dead_letter = :dead_letter, crc = :crc
    WHERE id = :id`),
  remove: database.prepare('DELETE FROM outbox WHERE id = ?'),
  ofId: database.prepare('SELECT * FROM outbox WHERE id = ?'),
  ofRelease: database.prepare('SELECT * FROM outbox WHERE release_id = ?'),
  // NOT INDEXED: walking the table in its order finds the first row at once, however many wait.
  first: database.prepare(`
    SELECT * FROM outbox NOT INDEXED
    WHERE dead_letter IS NULL AND held_until <= ? AND terminal NOT IN (SELECT value FROM json_each(?))
    ORDER BY id LIMIT 1`),
  nextHeld: database.prepare(
    'SELECT min(held_until) AS due FROM outbox WHERE dead_letter IS NULL AND held_until > ?',
  ),
  longestDue: database.prepare(
    'SELECT min(not_before) AS due FROM outbox WHERE dead_letter IS NULL AND held_until <= ?',
  ),
  youngest: database.prepare('SELECT max(id) AS id FROM outbox'),
  planned: database.prepare(`
    SELECT event.monotonic_ms AS moment FROM event JOIN attempt ON attempt.id = event.attempt
    WHERE attempt.release_id = ? AND event.state = 'PLANNED' AND event.boot_id = ? AND event.facts ->> 'from' IS NULL`),
  unclaimed: database.prepare('SELECT 1 FROM attempt WHERE release_id = ? AND claim_number IS NULL'),
  attemptOf: database.prepare(`
    SELECT attempt.id FROM attempt JOIN outbox ON outbox.release_id = attempt.release_id WHERE outbox.id = ?`),
  counted: database.prepare(`
    SELECT count(*) FILTER (WHERE dead_letter IS NULL AND held_until <= :now) AS waiting,
           count(*) FILTER (WHERE dead_letter IS NULL AND held_until > :now) AS held,
           count(*) FILTER (WHERE dead_letter IS NOT NULL) AS deadLetters
    FROM outbox`),
});
