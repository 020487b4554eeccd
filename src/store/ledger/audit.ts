/**
 * Finds out whether the books can be trusted (INVARIANTS.md T31, B.1 "Head anchor"). It repairs nothing. It checks in
 * this order:
 *
 * - the file, by SQLite's own check
 * - the tables, indices and triggers
 * - each event, by the chain, and the last event, by the anchored head: SQLite silently drops a damaged end of its log
 * - each row, by its checksum
 * - the key of each sealed column
 */
import { checkedColumns, crcOfColumns } from '../checksum.ts';
import type { CheckedTable } from '../checksum.ts';
import type { Database } from '../database.ts';
import { pragma, rowsAsLists } from '../database.ts';
import type { Head } from '../event-chain.ts';
import { walkChain } from '../event-chain.ts';
import { isShapeWhole } from '../schema.ts';
import { opened, personalColumns } from '../sealed/personal-columns.ts';
import type { RowKeyReading } from '../sealed/row-keys.ts';
import { rowKeysName } from '../sealed/row-keys.ts';

/** The fault in words without content, or `undefined`. It may throw SQLite's error for a damaged file. */
export function faultIn(database: Database, anchored: Head, rowKeys: RowKeyReading): string | undefined {
  return (
    integrityFault(database) ??
    shapeFault(database) ??
    chainFault(database, anchored) ??
    rowFault(database) ??
    keyFault(database, rowKeys)
  );
}

/**
 * For a file that is unchanged since it was closed: only version and keys can differ, because the key file lies beside
 * it.
 */
export const faultSince = (database: Database, rowKeys: RowKeyReading): string | undefined =>
  shapeFault(database) ?? keyFault(database, rowKeys);

const shapeFault = (database: Database): string | undefined =>
  isShapeWhole(database) ? undefined : 'its tables are not those of this version';

export function integrityFault(database: Database): string | undefined {
  const check = pragma(database, 'integrity_check');
  return check === 'ok' ? undefined : `the integrity check found ${String(check)}`;
}

function chainFault(database: Database, anchored: Head): string | undefined {
  const walk = walkChain(database, anchored.seq);
  if (typeof walk === 'string') return walk;
  const { head, hashAt } = walk;
  if (head.seq < anchored.seq) return `its last event is ${head.seq}, and ${anchored.seq} was written`;
  return hashAt && !Buffer.from(hashAt).equals(anchored.hash)
    ? `event ${anchored.seq} is not the one that was written`
    : undefined;
}

function rowFault(database: Database): string | undefined {
  for (const table of Object.keys(checkedColumns) as CheckedTable[]) {
    const columns = [...checkedColumns[table], 'crc'].join(', ');
    for (const row of rowsAsLists(database, `SELECT ${columns} FROM ${table}`)) {
      const checksum = row.pop();
      if (crcOfColumns(row) !== checksum) return `a row of the table ${table} has changed`;
    }
  }
  return undefined;
}

/**
 * A key is destroyed after its row is gone for good. A missing key therefore means damage, or a log that lost its end.
 */
function keyFault(database: Database, rowKeys: RowKeyReading): string | undefined {
  for (const { column, ...what } of personalColumns(database)) {
    if (!opened(rowKeys, what, column)) return `${rowKeysName} has no key for a row that waits`;
  }
  return undefined;
}
