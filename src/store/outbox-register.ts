/** The outbox for reading: lists and export for the command line, beside a running agent or without one. */
import { join } from 'node:path';
import { z } from 'zod';
import { isoInstant } from '../core/clock.ts';
import type { WaitingRecord } from '../domain/ports/ledger.ts';
import { historyText } from './columns.ts';
import { databaseName, openDatabaseReadOnly } from './database.ts';
import { requireMigrated } from './migrations.ts';
import { notedOpenTime } from './open-time.ts';

const rowShape = z.object({
  release_id: z.string(),
  terminal: z.string(),
  record: historyText,
  not_before: z.int(),
  is_held: z.int(),
  attempts: z.int(),
  dead_letter: z.string().nullable(),
});

/** In the order in which they go. Throws as `openReleaseRegister` does. */
export function waitingRecords(stateDir: string): readonly WaitingRecord[] {
  using database = openDatabaseReadOnly(join(stateDir, databaseName));
  requireMigrated(database);
  const all = database.prepare(`
    SELECT *, held_until > ${notedOpenTime} AS is_held FROM outbox ORDER BY id`);
  return database.read(() => all.all().map((row) => waitingRecord(rowShape.parse(row))));
}

function waitingRecord(row: z.infer<typeof rowShape>): WaitingRecord {
  const { dead_letter, is_held, not_before } = row;
  return {
    releaseId: row.release_id,
    terminal: row.terminal,
    state: dead_letter !== null ? 'dead-letter' : is_held === 1 ? 'held' : 'waiting',
    dueAt: isoInstant(not_before),
    failures: row.attempts,
    ...(dead_letter === null ? {} : { reason: dead_letter }),
    record: row.record,
  };
}
