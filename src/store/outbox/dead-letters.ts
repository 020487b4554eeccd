/**
 * Dead letters go back in line at an administrator's word: the service may have been mended. By the running agent, or,
 * where none runs, by whoever holds the lock of its state directory instead (INVARIANTS.md D13).
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

/** So many in one transaction: a month of them would fill memory and write-ahead log. */
const portion = 1000;

/**
 * All, or that of the release whose id begins so; gives how many. They keep their place, which is before younger ones.
 * Throws `dead-letter-unknown` where none, or more than one, has such an id.
 */
export function putBackDeadLetters(database: Database, idPrefix?: string): number {
  // Not IS NOT NULL, for which SQLite would walk the whole table each time.
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

/** The same where no agent runs. Throws `already-running`, and `state-unusable` where none ever has. */
export async function putBackWithoutAgent(stateDir: string, idPrefix?: string): Promise<number> {
  const path = join(stateDir, databaseName);
  if (!existsSync(path)) throw new Problem('state-unusable', `${path}: no agent has worked here yet`);
  using _ = lockInstance(realpathSync(stateDir));
  using database = openDatabase({ path, onFatal() {} });
  requireSchema(database);
  return putBackDeadLetters(database, idPrefix);
}
