/** The outbox for reading: lists and export for the command line, beside a running agent or without one. */
import { join } from 'node:path';
import { z } from 'zod';
import { isoInstant } from '../../core/clock.ts';
import type { WaitingRecord } from '../../domain/ports/ledger.ts';
import { historyText } from '../columns.ts';
import { databaseName, openDatabaseReadOnly } from '../database.ts';
import { requireSchema } from '../schema.ts';
import { notedHoldTime } from './hold-time.ts';
import { textIn } from '../sealed/personal-columns.ts';
import type { RowKeyReading } from '../sealed/row-keys.ts';
import { readRowKeys, rowKeysName } from '../sealed/row-keys.ts';

const rowShape = z.object({
  release_id: z.string(),
  terminal: z.string(),
  record: z.string(),
  not_before: z.int(),
  is_held: z.int(),
  attempts: z.int(),
  dead_letter: z.string().nullable(),
});

/** In the order of posting. Throws as `openReleaseRegister` does. */
export function waitingRecords(stateDir: string): readonly WaitingRecord[] {
  using database = openDatabaseReadOnly(join(stateDir, databaseName));
  requireSchema(database);
  const all = database.prepare(`
    SELECT *, held_until > ${notedHoldTime} AS is_held FROM outbox ORDER BY id`);
  // The keys are read first: keys of rows that go in the meantime are destroyed, and new rows get keys that exist
  // already.
  const keys = readRowKeys(join(stateDir, rowKeysName));
  return database.read(() => all.all().map((row) => waitingRecord(rowShape.parse(row), keys)));
}

function waitingRecord(row: z.infer<typeof rowShape>, keys: RowKeyReading): WaitingRecord {
  const { dead_letter, is_held, not_before, release_id: releaseId } = row;
  return {
    releaseId,
    terminal: row.terminal,
    state: dead_letter !== null ? 'dead-letter' : is_held === 1 ? 'held' : 'waiting',
    dueAt: isoInstant(not_before),
    failures: row.attempts,
    ...(dead_letter === null ? {} : { reason: dead_letter }),
    record: historyText.parse(textIn(keys, { kind: 'history', releaseId }, row.record)),
  };
}
