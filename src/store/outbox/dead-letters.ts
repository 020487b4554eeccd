/**
 * Puts dead letters back into the queue when an administrator asks, because the service may have been repaired. The
 * running agent does it. If none runs, a command does it with the lock of the state directory (INVARIANTS.md D13).
 */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Problem } from '../../domain/problem/problem.ts';
import { crcOf } from '../checksum.ts';
import type { Database } from '../database.ts';
import { databaseName, openDatabase } from '../database.ts';
import { lockInstance } from '../instance-lock.ts';
import { requireSchema } from '../schema.ts';

const rowShape = z.looseObject({ id: z.int() });

/** Rows in one transaction: a month of dead letters would fill memory and write-ahead log. */
const portion = 1000;

/**
 * Puts back all dead letters, or that of the release whose id begins with the prefix; gives their number. They keep
 * their place before younger rows. Throws `dead-letter-unknown` if the prefix fits none or several.
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
        update.run(crcOf('outbox', { ...row, dead_letter: null }), rowShape.parse(row).id);
      }
      return rows.length;
    });
  if (idPrefix !== undefined) return putBack();
  let all = 0;
  for (let some = portion; some === portion; all += some) some = putBack();
  return all;
}

/** The same if no agent runs. Throws `already-running`, and `state-unusable` if no agent has ever worked there. */
export async function putBackWithoutAgent(stateDir: string, idPrefix?: string): Promise<number> {
  const path = join(stateDir, databaseName);
  if (!existsSync(path)) throw new Problem('state-unusable', `${path}: no agent has worked here yet`);
  using _ = lockInstance(realpathSync(stateDir));
  using database = openDatabase({ path, onFatal() {} });
  requireSchema(database);
  return putBackDeadLetters(database, idPrefix);
}
