/**
 * Whether the books can be trusted (INVARIANTS.md T31, B.1 "Head anchor"), one question after the other: is the file
 * whole, by SQLite's own check and by its tables, indices and triggers; is each event the one that was written, by the
 * chain; is the last one there, by the anchored head, for SQLite drops a damaged end of its log without a word; is each
 * row the one that was written, by its checksum; and is its key there. It mends nothing.
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

/** What is wrong, in words without content; `undefined`: nothing. May throw what SQLite throws of a damaged file. */
export function faultIn(database: Database, anchored: Head, rowKeys: RowKeyReading): string | undefined {
  return (
    integrityFault(database) ??
    shapeFault(database) ??
    chainFault(database, anchored) ??
    rowFault(database) ??
    keyFault(database, rowKeys)
  );
}

/** The same of a file of which nothing has changed since it was closed: what else may have, beside it. */
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
      const told = row.pop();
      if (crcOfColumns(row) !== told) return `a row of the table ${table} has changed`;
    }
  }
  return undefined;
}

/**
 * A key is destroyed when its row is gone for good: one that is missing tells of a damage, or of a log that lost its
 * end.
 */
function keyFault(database: Database, rowKeys: RowKeyReading): string | undefined {
  for (const { column, ...what } of personalColumns(database)) {
    if (!opened(rowKeys, what, column)) return `${rowKeysName} has no key for a row that waits`;
  }
  return undefined;
}
