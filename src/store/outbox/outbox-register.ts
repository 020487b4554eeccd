/**
 * The outbox for the command line, beside a running agent or without one: lists, export, and dead letters that are
 * put back.
 */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isoInstant } from '../../core/clock.ts';
import type { WaitingRecord } from '../../domain/ports/ledger.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { crcOf } from '../checksum.ts';
import { historyText } from '../columns.ts';
import { databaseName, openDatabase, openDatabaseReadOnly } from '../database.ts';
import type { Database } from '../database.ts';
import { lockInstance } from '../files/state-directory.ts';
import { requireSchema } from '../schema.ts';
import { textIn } from '../sealed/personal-columns.ts';
import type { RowKeyReading } from '../sealed/row-keys.ts';
import { readRowKeys, rowKeysName } from '../sealed/row-keys.ts';
import { notedHoldTime } from './hold-time.ts';

const waitingShape = z.object({
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
  return database.read(() => all.all().map((row) => waitingRecord(waitingShape.parse(row), keys)));
}

function waitingRecord(row: z.infer<typeof waitingShape>, keys: RowKeyReading): WaitingRecord {
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

const deadShape = z.looseObject({ id: z.int() });

/** Rows in one transaction: a month of dead letters would fill memory and write-ahead log. */
const portion = 1000;

/**
 * Puts back all dead letters into the queue, or that of the release whose id begins with the prefix, when an
 * administrator asks, because the service may have been repaired. Gives their number. They keep their place before
 * younger rows. Throws `dead-letter-unknown` if the prefix fits none or several.
 */
export function putBackDeadLetters(database: Database, idPrefix?: string): number {
  // Not IS NOT NULL: SQLite would then walk the whole table each time.
  const found = database.prepare(`
    SELECT * FROM outbox WHERE dead_letter > ''
    AND (:prefix IS NULL OR (release_id >= :prefix AND release_id < :prefix || 'g')) LIMIT ${portion}`);
  const update = database.prepare('UPDATE outbox SET dead_letter = NULL, crc = ? WHERE id = ?');
  const putBack = (): number =>
    database.transaction(() => {
      const rows = found.all({ prefix: idPrefix ?? null });
      if (idPrefix !== undefined && rows.length !== 1) {
        throw new Problem('dead-letter-unknown', `${rows.length} dead letters are of a release ${idPrefix}…`);
      }
      for (const row of rows) {
        update.run(crcOf('outbox', { ...row, dead_letter: null }), deadShape.parse(row).id);
      }
      return rows.length;
    });
  if (idPrefix !== undefined) return putBack();
  let all = 0;
  for (let some = portion; some === portion; all += some) some = putBack();
  return all;
}

/**
 * The same if no agent runs, with the lock of the state directory (INVARIANTS.md D13). Throws `already-running`, and
 * `state-unusable` if no agent has ever worked there.
 */
export async function putBackWithoutAgent(stateDir: string, idPrefix?: string): Promise<number> {
  const path = join(stateDir, databaseName);
  if (!existsSync(path)) throw new Problem('state-unusable', `${path}: no agent has worked here yet`);
  using _ = lockInstance(realpathSync(stateDir));
  using database = openDatabase({ path, onFatal() {} });
  requireSchema(database);
  return putBackDeadLetters(database, idPrefix);
}
