/** The outbox for reading: lists and export for the command line, beside a running agent or without one. */
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../core/clock.ts';
import { isoInstant } from '../core/clock.ts';
import type { WaitingRecord } from '../domain/ports/ledger.ts';
import { historyText } from './columns.ts';
import { databaseName, openDatabaseReadOnly } from './database.ts';
import { requireMigrated } from './migrations.ts';

const rowShape = z.object({
  release_id: z.string(),
  terminal: z.string(),
  record: historyText,
  not_before: z.int(),
  attempts: z.int(),
  dead_letter: z.string().nullable(),
});

/** In the order in which they go. Throws as `openReleaseRegister` does. */
export function waitingRecords(options: {
  readonly stateDir: string;
  readonly clock: Clock;
}): readonly WaitingRecord[] {
  using database = openDatabaseReadOnly(join(options.stateDir, databaseName));
  requireMigrated(database);
  const all = database.prepare('SELECT * FROM outbox ORDER BY id');
  const now = options.clock.now();
  return database.read(() => all.all().map((row) => waitingRecord(rowShape.parse(row), now)));
}

function waitingRecord(row: z.infer<typeof rowShape>, now: number): WaitingRecord {
  const { dead_letter, not_before } = row;
  return {
    releaseId: row.release_id,
    terminal: row.terminal,
    state: dead_letter !== null ? 'dead-letter' : not_before > now ? 'held' : 'waiting',
    dueAt: isoInstant(not_before),
    failures: row.attempts,
    ...(dead_letter === null ? {} : { reason: dead_letter }),
    record: row.record,
  };
}
