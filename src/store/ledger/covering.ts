/**
 * Brings what names a person in a database before version 5 (`migrations.ts`) under seal, each row under a key of its own
 * (`personal-columns.ts`). The rows have been examined: their checksums are good.
 */
import { z } from 'zod';
import { crcOfAttempt } from './attempts.ts';
import type { Database } from '../database.ts';
import { crcOfOutboxRow } from '../outbox/outbox.ts';
import { sealed } from '../sealed/personal-columns.ts';
import type { RowKeys } from '../sealed/row-keys.ts';

const attemptShape = z.looseObject({
  id: z.int(),
  release_id: z.string(),
  job_name: z.string(),
  history: z.string(),
});
const recordShape = z.looseObject({ id: z.int(), release_id: z.string(), record: z.string() });

/** In the transaction of its migration. `rowKeys` is absent where the database is a pattern, which has no rows. */
export function sealColumns(database: Database, rowKeys: RowKeys | undefined): void {
  const withKey = (work: (keys: RowKeys, slot: number) => unknown): void => {
    if (!rowKeys) throw new Error('rows are sealed where there are keys for them');
    rowKeys.spend((slot) => work(rowKeys, slot));
  };
  const updateAttempt = database.prepare(
    'UPDATE attempt SET job_name = :job_name, history = :history, crc = :crc WHERE id = :id',
  );
  for (const found of database.prepare('SELECT * FROM attempt WHERE history IS NOT NULL').all()) {
    withKey((keys, slot) => {
      const row = attemptShape.parse(found);
      const { id, release_id: releaseId } = row;
      const job_name = sealed(keys, slot, { kind: 'job-name', releaseId }, row.job_name);
      const history = sealed(keys, slot, { kind: 'history', releaseId }, row.history);
      updateAttempt.run({ id, job_name, history, crc: crcOfAttempt({ ...row, job_name, history }) });
    });
  }
  const updateRecord = database.prepare('UPDATE outbox SET record = :record, crc = :crc WHERE id = :id');
  for (const found of database.prepare('SELECT * FROM outbox').all()) {
    withKey((keys, slot) => {
      const row = recordShape.parse(found);
      const record = sealed(keys, slot, { kind: 'history', releaseId: row.release_id }, row.record);
      updateRecord.run({ id: row.id, record, crc: crcOfOutboxRow({ ...row, record }) });
    });
  }
}
